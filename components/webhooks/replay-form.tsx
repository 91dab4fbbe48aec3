import { ActionForm, type FormAction, Submit } from "@/components/ui/action-form";

interface Props {
  endpointId: string;
  eventId: string;
  formId: string;
  action: FormAction;
}

/** Sends the same bytes to another address, now. */
export function ReplayForm({ endpointId, eventId, formId, action }: Props) {
  return (
    <ActionForm action={action}>
      <input type="hidden" name="form" value={formId} />
      <input type="hidden" name="id" value={endpointId} />
      <input type="hidden" name="event" value={eventId} />
      <div className="flex flex-wrap items-center gap-2">
        <label htmlFor="replay-url" className="text-muted">
          Replay to
        </label>
        <input
          id="replay-url"
          name="url"
          type="url"
          required
          placeholder="https://"
          className="field min-w-0 flex-1"
        />
        <Submit className="button">Replay</Submit>
      </div>
    </ActionForm>
  );
}

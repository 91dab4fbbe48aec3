import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Field } from "@/components/ui/field";
import { FormButtons } from "@/components/ui/form-buttons";
import { type Inbox, MAX_EVENTS_DEFAULT, TTL_SECONDS_DEFAULT } from "@/lib/inboxes/contract";

interface Props {
  action: FormAction;
  closeHref: string;
  /** Names this showing of the form for a new one. */
  formId?: string;
  /** The inbox to edit and its ETag. */
  inbox?: Inbox;
  tag?: string;
}

/** Creates an inbox, or changes one in place. */
export function InboxForm({ action, closeHref, formId, inbox, tag }: Props) {
  return (
    <ActionForm action={action} className="grid gap-3 sm:grid-cols-2">
      {formId && <input type="hidden" name="form" value={formId} />}
      {inbox && <input type="hidden" name="id" value={inbox.id} />}
      {tag && <input type="hidden" name="tag" value={tag} />}
      <Field label="Name" className="sm:col-span-2">
        {(id) => (
          <input id={id} name="name" required defaultValue={inbox?.name} className="field" />
        )}
      </Field>
      <Field label="Description" className="sm:col-span-2">
        {(id) => (
          <textarea
            id={id}
            name="description"
            rows={2}
            defaultValue={inbox?.description ?? ""}
            className="field"
          />
        )}
      </Field>
      <Field label="Events that may wait" hint="1 to 10,000">
        {(id) => (
          <input
            id={id}
            name="max_events"
            inputMode="numeric"
            defaultValue={inbox?.max_events ?? MAX_EVENTS_DEFAULT}
            className="field"
          />
        )}
      </Field>
      <Field label="An event lives" hint="seconds, up to 30 days">
        {(id) => (
          <input
            id={id}
            name="default_ttl_seconds"
            inputMode="numeric"
            required
            defaultValue={inbox?.default_ttl_seconds ?? TTL_SECONDS_DEFAULT}
            className="field"
          />
        )}
      </Field>
      <FormButtons submit={inbox ? "Save changes" : "Create inbox"} closeHref={closeHref} />
    </ActionForm>
  );
}

import { ActionForm, Submit } from "@/components/ui/action-form";
import { counted } from "@/lib/platform/counted";
import { replayEvents } from "../actions";
import { filterText } from "./filter-text";
import { TargetField } from "./replay-section";

interface Props {
  endpointId: string;
  filters: { method?: string | undefined; q?: string | undefined; header?: string | undefined };
  /** The number of matching events, if known. */
  count: number | undefined;
  targets: string[];
}

/** Replays all events that match the filter. */
export function BulkReplayForm({ endpointId, filters, count, targets }: Props) {
  const { method = "", q = "", header = "" } = filters;
  return (
    <ActionForm
      action={replayEvents}
      className="mt-3 flex flex-wrap items-end gap-x-2 gap-y-3"
      formId={crypto.randomUUID()}
      fields={{ id: endpointId, method, q, header }}
    >
      <p className="basis-full text-muted wrap-anywhere">
        {filterText(filters)}, oldest first, one attempt each.
      </p>
      <TargetField label="Send them again to" targets={targets} />
      <Submit className="button button-primary">
        {count === undefined ? "Replay matching events" : `Replay ${counted(count, "event")}`}
      </Submit>
      <label className="flex basis-full items-baseline gap-2 text-small text-muted">
        <input type="checkbox" name="retry" />
        <span>Retry those that fail</span>
      </label>
    </ActionForm>
  );
}

"use client";

import { ActionForm, type FormAction, Submit } from "@/components/ui/action-form";
import { FormId } from "@/components/ui/form-id";
import { counted } from "@/lib/platform/counted";
import { filterText } from "./filter-text";
import { TargetField } from "./replay-section";

interface Props {
  action: FormAction;
  endpointId: string;
  /** The idempotency key of the form. */
  formId: string;
  filters: { method?: string | undefined; q?: string | undefined; header?: string | undefined };
  /** The number of matching events, if known. */
  count: number | undefined;
  targets: string[];
}

/** Replays all events that match the filter. */
export function BulkReplayForm({ action, endpointId, formId, filters, count, targets }: Props) {
  return (
    <ActionForm action={action} className="mt-3 flex flex-wrap items-end gap-x-2 gap-y-3">
      <FormId id={formId} />
      <input type="hidden" name="id" value={endpointId} />
      {Object.entries(filters).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value ?? ""} />
      ))}
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

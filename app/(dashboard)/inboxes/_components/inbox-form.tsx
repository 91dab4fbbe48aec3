import { formFields } from "@/components/ui/form-fields";
import { ResourceForm } from "@/components/ui/resource-form";
import {
  type Inbox,
  InboxCreate,
  MAX_EVENTS_DEFAULT,
  TTL_SECONDS_DEFAULT,
} from "@/lib/resources/inboxes/contract";
import { createInbox, updateInbox } from "../actions";

/** Creates an inbox, or changes one in place. */
export function InboxForm({ inbox, closeHref }: { inbox?: Inbox; closeHref: string }) {
  const field = formFields(InboxCreate, inbox);
  return (
    <ResourceForm
      action={inbox ? updateInbox : createInbox}
      closeHref={closeHref}
      resource={inbox}
      create="Create inbox"
      className="grid gap-3 sm:grid-cols-2"
    >
      {field("name", { className: "sm:col-span-2" })}
      {field("description", { className: "sm:col-span-2", rows: 2 })}
      {field("max_events", { label: "Maximum events", preset: MAX_EVENTS_DEFAULT })}
      {field("default_ttl_seconds", {
        label: "Events expire after",
        hint: "seconds, up to 30 days",
        required: true,
        preset: TTL_SECONDS_DEFAULT,
      })}
    </ResourceForm>
  );
}

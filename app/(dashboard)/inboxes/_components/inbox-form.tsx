import { InputField } from "@/components/ui/field";
import { ResourceForm, type ResourceFormProps } from "@/components/ui/resource-form";
import { TextAreaField } from "@/components/ui/text-area";
import { sentenceOf } from "@/lib/platform/http/schema-fields";
import {
  type Inbox,
  InboxCreate,
  MAX_EVENTS_DEFAULT,
  TTL_SECONDS_DEFAULT,
} from "@/lib/resources/inboxes/contract";

interface Props extends ResourceFormProps {
  /** The inbox to edit. */
  inbox?: Inbox;
}

/** Creates an inbox, or changes one in place. */
export function InboxForm({ inbox, ...form }: Props) {
  const shown = {
    name: inbox?.name.replaceAll(/[\r\n]/g, "") ?? "",
    description: inbox?.description ?? "",
    max_events: String(inbox?.max_events ?? MAX_EVENTS_DEFAULT),
    default_ttl_seconds: String(inbox?.default_ttl_seconds ?? TTL_SECONDS_DEFAULT),
  };
  return (
    <ResourceForm
      {...form}
      id={inbox?.id}
      shown={shown}
      create="Create inbox"
      className="grid gap-3 sm:grid-cols-2"
    >
      <InputField
        label="Name"
        className="sm:col-span-2"
        name="name"
        required
        defaultValue={shown.name}
      />
      <TextAreaField
        label="Description"
        className="sm:col-span-2"
        name="description"
        rows={2}
        defaultValue={shown.description}
      />
      <InputField
        label="Maximum events"
        hint="1 to 10,000"
        name="max_events"
        title={sentenceOf(InboxCreate, "max_events")}
        inputMode="numeric"
        defaultValue={shown.max_events}
      />
      <InputField
        label="Events expire after"
        hint="seconds, up to 30 days"
        name="default_ttl_seconds"
        title={sentenceOf(InboxCreate, "default_ttl_seconds")}
        inputMode="numeric"
        required
        defaultValue={shown.default_ttl_seconds}
      />
    </ResourceForm>
  );
}

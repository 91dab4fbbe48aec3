import { InputField } from "@/components/ui/field";
import { ResourceForm, type ResourceFormProps } from "@/components/ui/resource-form";
import { TextAreaField } from "@/components/ui/text-area";
import { sentenceOf } from "@/lib/platform/http/schema-fields";
import {
  MAX_EVENTS_DEFAULT,
  type WebhookEndpoint,
  WebhookEndpointCreate,
} from "@/lib/resources/webhooks/contract";

interface Props extends ResourceFormProps {
  /** The endpoint to edit. */
  endpoint?: WebhookEndpoint;
}

/** Creates an endpoint, or changes one in place. */
export function EndpointForm({ endpoint, ...form }: Props) {
  const shown = {
    name: endpoint?.name.replaceAll(/[\r\n]/g, "") ?? "",
    max_events: String(endpoint?.max_events ?? MAX_EVENTS_DEFAULT),
    description: endpoint?.description ?? "",
  };
  return (
    <ResourceForm
      {...form}
      id={endpoint?.id}
      shown={shown}
      create="Create endpoint"
      className="grid gap-3 sm:grid-cols-3"
    >
      <InputField
        label="Name"
        className="sm:col-span-2"
        name="name"
        required
        defaultValue={shown.name}
      />
      <InputField
        label="Events kept"
        hint="1 to 10,000"
        name="max_events"
        title={sentenceOf(WebhookEndpointCreate, "max_events")}
        inputMode="numeric"
        defaultValue={shown.max_events}
      />
      <TextAreaField
        label="Description"
        className="sm:col-span-3"
        name="description"
        rows={2}
        defaultValue={shown.description}
      />
    </ResourceForm>
  );
}

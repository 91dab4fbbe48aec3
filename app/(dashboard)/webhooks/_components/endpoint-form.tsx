import { formFields } from "@/components/ui/form-fields";
import { ResourceForm, type ResourceFormProps } from "@/components/ui/resource-form";
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
  const field = formFields(WebhookEndpointCreate, endpoint);
  return (
    <ResourceForm
      {...form}
      id={endpoint?.id}
      create="Create endpoint"
      className="grid gap-3 sm:grid-cols-3"
    >
      {field("name", { className: "sm:col-span-2" })}
      {field("max_events", { label: "Events kept", preset: MAX_EVENTS_DEFAULT })}
      {field("description", { className: "sm:col-span-3", rows: 2 })}
    </ResourceForm>
  );
}

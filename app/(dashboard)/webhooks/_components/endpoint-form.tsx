import { formFields } from "@/components/ui/form-fields";
import { ResourceForm } from "@/components/ui/resource-form";
import {
  MAX_EVENTS_DEFAULT,
  type WebhookEndpoint,
  WebhookEndpointCreate,
} from "@/lib/resources/webhooks/contract";
import { createEndpoint, updateEndpoint } from "../actions";

/** Creates an endpoint, or changes one in place. */
export function EndpointForm(props: { endpoint?: WebhookEndpoint; closeHref: string }) {
  const { endpoint, closeHref } = props;
  const field = formFields(WebhookEndpointCreate, endpoint);
  return (
    <ResourceForm
      action={endpoint ? updateEndpoint : createEndpoint}
      closeHref={closeHref}
      resource={endpoint}
      create="Create endpoint"
      className="grid gap-3 sm:grid-cols-3"
    >
      {field("name", { className: "sm:col-span-2" })}
      {field("max_events", { label: "Events kept", preset: MAX_EVENTS_DEFAULT })}
      {field("description", { className: "sm:col-span-3", rows: 2 })}
    </ResourceForm>
  );
}

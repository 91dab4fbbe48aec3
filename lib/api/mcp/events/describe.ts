import { toJsonSchema } from "@/lib/platform/http/json-schema";
import { eventSources } from "@/lib/resources/subscriptions/events/sources";

/** Each type is delivered in each of these ways. */
const DELIVERY = ["poll", "push", "webhook"];

/** The types of events, for `events/list`. */
export function listEvents() {
  return {
    events: eventSources.map(({ name, description, input, payload }) => ({
      name,
      description,
      delivery: DELIVERY,
      inputSchema: toJsonSchema(input, "input"),
      payloadSchema: toJsonSchema(payload, "output"),
    })),
  };
}

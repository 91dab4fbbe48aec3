import type { Init, ItemOf, ListPath, OperationAt } from "./calls.js";
import { type AnyInit, type Calls, type ClientOptions, connect } from "./connection.js";
import { type EventOptions, streamEvents, type WebhookEvent } from "./events.js";
import { listItems } from "./pages.js";

export interface Client extends Calls {
  readonly baseUrl: string;
  /** Every item of a list. Fetches the next page when the last one is used up. */
  list<Path extends ListPath>(
    path: Path,
    ...init: Init<OperationAt<"get", Path>, "json">
  ): AsyncGenerator<ItemOf<Path>, void, undefined>;
  /**
   * The events of a webhook endpoint as they are captured, each once and in order. Reconnects after
   * a break and continues where it was. Ends when the signal aborts.
   */
  events(endpointId: string, options?: EventOptions): AsyncGenerator<WebhookEvent, void, undefined>;
}

/** Makes a client of the service. Throws a `TypeError` if an option is unusable. */
export function createClient(options: ClientOptions = {}): Client {
  const connection = connect(options);
  return {
    baseUrl: connection.baseUrl,
    ...connection.calls,
    list: (path, ...init) => listItems(connection, path, init[0] as AnyInit),
    events: (endpointId, chosen) => streamEvents(connection, endpointId, chosen),
  };
}

import type { Init, ItemOf, ListPath, OperationAt } from "./calls.js";
import { type AnyInit, type Calls, type ClientOptions, connect } from "./connection.js";
import { type EventOptions, streamEvents, type WebhookEvent } from "./events.js";
import { type HeldTask, type NextTaskOptions, nextTask } from "./next-task.js";
import { listItems } from "./pages.js";
import { type ClientVerifyOptions, verifierOf } from "./signing-keys.js";
import type { ReceivedRequest, Verified } from "./verify-signature.js";
import { type InboxHandler, type WorkOptions, workOn } from "./work.js";

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
  /**
   * Handles the events of an inbox until the signal aborts: leases them, extends the leases while
   * the handler runs, then acknowledges them or gives them back. Survives breaks of the network and
   * restarts of the server. Throws `ApiError` when it cannot go on, such as 401 or 404.
   */
  work(inboxId: string, handler: InboxHandler, options?: WorkOptions): Promise<void>;
  /**
   * Leases the next free task: by priority, due date, then age. Null when there is none in time.
   * Needs a key.
   */
  nextTask(options: NextTaskOptions): Promise<HeldTask | null>;
  /**
   * Verifies that an organization has sent a request through this server, and recently. Fetches its
   * public keys when it has to. Throws `SignatureError`, also for deliveries of others and for those
   * without an owner, and `ApiError` when the server does not know the organization.
   */
  verifySignature(request: ReceivedRequest, options: ClientVerifyOptions): Promise<Verified>;
}

/** Makes a client of the service. Throws a `TypeError` if an option is unusable. */
export function createClient(options: ClientOptions = {}): Client {
  const connection = connect(options);
  return {
    baseUrl: connection.baseUrl,
    ...connection.calls,
    list: (path, ...init) => listItems(connection, path, init[0] as AnyInit),
    events: (endpointId, chosen) => streamEvents(connection, endpointId, chosen),
    work: (inboxId, handler, chosen) => workOn(connection, inboxId, handler, chosen),
    nextTask: (chosen) => nextTask(connection, chosen),
    verifySignature: verifierOf(connection),
  };
}

import type { Init, ItemOf, ListPath, OperationAt } from "./calls.js";
import { type AnyInit, type Calls, connect } from "./connection.js";
import { type EventOptions, streamEvents } from "./events.js";
import { type HeldTask, type NextTaskOptions, nextTask } from "./next-task.js";
import type { ClientOptions } from "./options.js";
import { listItems } from "./pages.js";
import { type Resources, resourcesOf } from "./resources.js";
import type { WebhookEvent } from "./schema.js";
import { type ClientVerifyOptions, verifierOf } from "./signing-keys.js";
import type { ReceivedRequest, Verified } from "./verify-signature.js";
import { type InboxHandler, type WorkOptions, workOn } from "./work.js";

export interface Client extends Calls, Resources {
  readonly baseUrl: string;
  /** Iterates over every item of a list, fetching the next page when one is used up. */
  list<Path extends ListPath>(
    path: Path,
    ...init: Init<OperationAt<"get", Path>, "json">
  ): AsyncGenerator<ItemOf<Path>, void, undefined>;
  /**
   * The events of a webhook endpoint as they are captured, each once and in order. Reconnects after
   * a break and continues from there. Ends when the signal aborts.
   */
  events(endpointId: string, options?: EventOptions): AsyncGenerator<WebhookEvent, void, undefined>;
  /**
   * Handles the events of an inbox until the signal aborts: leases them, extends the leases while
   * the handler runs, then acknowledges them or gives them back. Survives network failures and
   * restarts of the server. Throws `ApiError` when it cannot continue, for example on 401 or 404.
   */
  work(inboxId: string, handler: InboxHandler, options?: WorkOptions): Promise<void>;
  /**
   * Leases the next free task: by priority, due date, then age. Null if there is none in time.
   * Needs a key.
   */
  nextTask(options: NextTaskOptions): Promise<HeldTask | null>;
  /**
   * Verifies that an organization sent a request through this server, and recently. Fetches the
   * organization's public keys when needed. Throws `SignatureError`, also for deliveries of other
   * organizations and of public messages, and `ApiError` if the server does not know the
   * organization.
   */
  verifySignature(request: ReceivedRequest, options: ClientVerifyOptions): Promise<Verified>;
}

/** Makes a client of the service. Throws a `TypeError` for an invalid option. */
export function createClient(options: ClientOptions = {}): Client {
  const connection = connect(options);
  return {
    baseUrl: connection.baseUrl,
    ...connection.calls,
    ...resourcesOf(connection),
    list: (path, ...init) => listItems(connection, path, init[0] as AnyInit),
    events: (endpointId, chosen) => streamEvents(connection, endpointId, chosen),
    work: (inboxId, handler, chosen) => workOn(connection, inboxId, handler, chosen),
    nextTask: (chosen) => nextTask(connection, chosen),
    verifySignature: verifierOf(connection),
  };
}

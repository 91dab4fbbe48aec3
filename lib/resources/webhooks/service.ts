import { assertAccess } from "@/lib/identity/access";
import { creatorNetwork } from "@/lib/identity/anonymous";
import type { Caller, KeyCheck } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { columns, type Row, type RowOf } from "@/lib/platform/db/columns";
import { type Commit, together, unrecorded } from "@/lib/platform/db/commit";
import { query, queryOne, sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { notFound } from "@/lib/platform/errors";
import type { Precondition } from "@/lib/platform/http/conditional";
import { type Insertion, inserter } from "@/lib/resources/insertion";
import { turnsOfChanges } from "@/lib/resources/remove-in-turns";
import { resource } from "@/lib/resources/resource";
import { toResource } from "@/lib/resources/to-resource";
import { givenColumns } from "@/lib/resources/update";
import { trim, trimLater } from "@/lib/resources/webhooks/events/trim";
import { runReplaysSoon } from "@/lib/resources/webhooks/replays/run";
import { closeSettings, settingsOf } from "./claim";
import {
  type CreatedWebhookEndpoint,
  MAX_EVENTS_DEFAULT,
  WebhookEndpoint,
  WebhookEndpointCreate,
  WebhookEndpointUpdate,
} from "./contract";
import { skipHeld } from "./forward/holding-endpoints";
import { endpointId, webhookKind } from "./kind";
import { type LockedEndpoint, USED_NOW } from "./settings";

const COLUMNS = columns(
  "WebhookEndpoint",
  `id, organization_id, name, description, max_events, external_id, created_at, updated_at, revision`,
);

export type EndpointRow = RowOf<typeof COLUMNS>;

export const webhooks = resource(webhookKind, {
  schema: WebhookEndpoint,
  columns: COLUMNS,
  serialize,
  get,
  searched: [sql`name`, sql`description`],
  lastUsedAt: sql`greatest(updated_at, last_event_micros / 1000000)`,
  settings: settingsOf,
  close: closeSettings,
  async empty(caller, id, begin) {
    const inTurn = turnsOfChanges(caller);
    await inTurn(() => evictAll(caller, id, begin));
    await trim(id, { inTurn });
  },
});

type CountedRow = EndpointRow & Row<"EndpointState", "event_count">;

const { load: loadWithCount, find: findWithCount } = webhooks.reader<CountedRow>(
  sql`${COLUMNS}, event_count`,
  {
    joined: (ids) => sql`JOIN (
      SELECT endpoint_id, event_count FROM endpoint_state WHERE endpoint_id = ANY (${ids})
    ) AS state ON endpoint_id = id`,
  },
);

export const { list } = webhooks;

/** A new endpoint of the caller's organization, or a public one with a claim token. */
export function creation(
  caller: Caller,
  input: WebhookEndpointCreate,
): Insertion<CreatedWebhookEndpoint> {
  const { identity, claim } = webhooks.newIdentity(caller);
  const row = {
    name: input.name,
    description: input.description ?? null,
    max_events: input.max_events ?? MAX_EVENTS_DEFAULT,
    external_id: input.external_id ?? null,
    network: creatorNetwork(caller),
    ...identity,
  };
  return insertion(caller, row, (made) => ({ ...serialize(made), ...claim }));
}

const insertion = inserter(webhookKind, {
  columns: [...WebhookEndpointCreate.keyof().options, "network"],
});

/** An endpoint with its number of events. Throws 404, or 403 when another organization owns it. */
export async function get(
  caller: Caller,
  id: string,
  prefetched?: Promise<CountedRow | undefined>,
): Promise<WebhookEndpoint> {
  return serialize(await findWithCount(caller, endpointId(id), prefetched));
}

/**
 * Updates an endpoint and returns it like `get`. A lower `max_events` evicts the oldest events at once. Throws
 * 404, 403, and 412 when the precondition fails.
 */
export async function update(
  caller: Caller,
  id: string,
  changes: WebhookEndpointUpdate,
  precondition?: Precondition,
): Promise<WebhookEndpoint> {
  const max_events = changes.max_events === null ? MAX_EVENTS_DEFAULT : changes.max_events;
  const given = { ...changes, max_events };
  const updated = await updateEndpoint(caller, endpointId(id), given, precondition);
  // The trigger keep_state has evicted what is too much.
  if (max_events !== undefined) trimLater([updated.id]);
  return { ...updated, event_count: (await loadWithCount(updated.id))?.event_count ?? 0 };
}

const updateEndpoint = webhooks.updater({
  set: givenColumns("WebhookEndpoint", WebhookEndpointUpdate.keyof().options),
});

/** Deletes an endpoint. Throws 404, 403, and 412 when the precondition fails. */
export async function remove(
  caller: Caller,
  id: string,
  precondition?: Precondition,
): Promise<void> {
  // The trigger end_state cancels the messages of its forward that are still to be sent.
  await webhooks.remove(caller, endpointId(id), precondition);
  // Its replays are canceled.
  runReplaysSoon();
}

/** Throws 404 and 403. */
export function findEndpoint(caller: Caller, id: string): Promise<EndpointRow> {
  return webhooks.find(caller, endpointId(id));
}

/** The row of an endpoint with its number of events, without an access check. */
export function load(id: string, check?: KeyCheck) {
  return loadWithCount(endpointId(id), check);
}

/**
 * Runs `work` with the endpoint locked against captures, claims and updates. Throws 404 and 403.
 */
export function withLockedEndpoint<Result>(
  caller: Caller,
  id: string,
  work: (endpoint: EndpointRow & LockedEndpoint, db: Transaction) => Promise<Result>,
  commit: Commit = unrecorded,
): Promise<Result> {
  const locked = async (db: Transaction) => {
    const endpoint = await webhooks.lock(caller, endpointId(id), db);
    // After the endpoint, as a claim locks them.
    return work({ ...endpoint, ...(await lockEvents(caller, endpoint.id, db)) }, db);
  };
  return commit(together(locked));
}

/** Locks the events of an endpoint, and returns their owner. Throws 404 and 403. */
export async function lockEvents(
  caller: Caller,
  id: string,
  db: Transaction,
): Promise<LockedEndpoint> {
  // (a) Captures, deletions and changes of the endpoint wait for each other.
  const endpoint = await queryOne<LockedEndpoint>(
    sql`SELECT endpoint_id AS id, organization_id,
               greatest(unix_now(), settings_at + 1) AS settings_at
        FROM endpoint_state WHERE endpoint_id = ${id} FOR NO KEY UPDATE`,
    db,
  );
  if (!endpoint) throw notFound(webhookKind.noun, id);
  assertAccess(caller, endpoint.organization_id);
  return endpoint;
}

/** Evicts all events after `begin`, and forwards none of them. Their rows are left to `trim`. Throws 404 and 403. */
export async function evictAll(
  caller: Caller,
  id: string,
  begin?: (db: Transaction) => Promise<void>,
): Promise<void> {
  await transaction(async (db) => {
    await begin?.(db);
    await lockEvents(caller, id, db);
    await skipHeld(id, db);
    await query(
      sql`UPDATE endpoint_state SET event_count = 0, gone_up_to = coalesce(
            (SELECT max(id) FROM webhook_events WHERE endpoint_id = ${id}), gone_up_to),
            ${USED_NOW}
          WHERE endpoint_id = ${id}`,
      db,
    );
  });
}

/** With the number of events if the row has it, which is for single reads only. */
function serialize(row: EndpointRow | CountedRow): WebhookEndpoint {
  return toResource(WebhookEndpoint, row, { url: `${config().baseUrl}/api/catch/${row.id}` });
}

import { creatorNetwork } from "@/lib/identity/anonymous";
import type { Caller } from "@/lib/platform/caller";
import { columns, type Row, type RowOf } from "@/lib/platform/db/columns";
import type { Commit } from "@/lib/platform/db/commit";
import { query, queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { invalidParam, notFound } from "@/lib/platform/errors";
import type { Precondition } from "@/lib/platform/http/conditional";
import { isOwnHost } from "@/lib/platform/http/own-origin";
import { isCreators } from "@/lib/resources/claim-token";
import type { CreatedInbox } from "@/lib/resources/inboxes/contract";
import { assertInboxOwner, sameOwner } from "@/lib/resources/inboxes/owned";
import type { Insertion } from "@/lib/resources/insertion";
import { cancelPending } from "@/lib/resources/messages/enqueue";
import { assertTarget, targetColumns, targetName } from "@/lib/resources/messages/push-target";
import { toResource } from "@/lib/resources/to-resource";
import {
  type EndpointRow,
  findEndpoint,
  withLockedEndpoint,
} from "@/lib/resources/webhooks/service";
import { type LockedEndpoint, recordSetting } from "@/lib/resources/webhooks/settings";
import { catchUpLater } from "./catch-up";
import { WebhookForward, type WebhookForwardPut } from "./contract";
import { skipHeld } from "./holding-endpoints";

const STORED_COLUMNS = columns(
  "WebhookForward",
  "inbox_id, url, header_names, text_field, methods, match, by_creator, created_at, updated_at",
);

type ForwardRow = RowOf<typeof STORED_COLUMNS> &
  Row<"EndpointState", "obstacle"> & { held_count: number };

const INBOX = { param: "inbox_id", refusal: sameOwner("endpoint") };

/** Throws 404, also if the endpoint has no forward, and 403. */
export async function get(caller: Caller, id: string): Promise<WebhookForward> {
  return find(await findEndpoint(caller, id));
}

async function find(endpoint: EndpointRow, db?: Transaction): Promise<WebhookForward> {
  const forward = await findIfSet(endpoint, db);
  if (!forward) throw notFound("forward of a webhook endpoint", endpoint.id);
  return forward;
}

async function findIfSet(
  endpoint: EndpointRow,
  db?: Transaction,
): Promise<WebhookForward | undefined> {
  // (d) Counts the waiting events.
  const row = await queryOne<ForwardRow>(
    sql`SELECT ${STORED_COLUMNS}, state.held_count, state.obstacle
        FROM webhook_forwards, (
          SELECT e.obstacle, count(v.id) AS held_count
          FROM endpoint_state e LEFT JOIN webhook_events v
            ON v.endpoint_id = e.endpoint_id AND v.forward_status = 'held' AND v.id > e.gone_up_to
          WHERE e.endpoint_id = ${endpoint.id} GROUP BY e.endpoint_id
        ) AS state
        WHERE endpoint_id = ${endpoint.id}`,
    db,
  );
  return row && serialize(endpoint, row);
}

interface Putting {
  newInbox?: Insertion<CreatedInbox>;
  precondition?: Precondition | undefined;
  commit?: Commit;
}

/**
 * Sets where the endpoint's later events are forwarded. Events that are held back go there too.
 * Throws 404 and 403 for the endpoint and the inbox, 400 for a target that is not allowed, and 412
 * when the precondition fails. An inbox that is new is stored in the same transaction.
 */
export async function put(
  caller: Caller,
  id: string,
  input: WebhookForwardPut,
  { newInbox, precondition, commit }: Putting = {},
): Promise<WebhookForward> {
  const { inbox_id, url } = input;
  assertTarget(caller, input, "inbox_id");
  if (url !== undefined) assertNoLoop(url);
  const byCreator = await isCreators(caller, id);
  const work = async (endpoint: EndpointRow & LockedEndpoint, db: Transaction) => {
    await newInbox?.store(db);
    if (inbox_id !== undefined) {
      await assertInboxOwner(caller, endpoint.organization_id, inbox_id, INBOX, db);
    }
    precondition?.(await findIfSet(endpoint, db));
    const target = targetColumns(caller, endpoint.id, input);
    const match = input.match ? JSON.stringify(input.match) : null;
    // (d) Prisma cannot store NULL in a list.
    await query(
      sql`INSERT INTO webhook_forwards (endpoint_id, inbox_id, url, methods, match, public_only,
                                        by_creator, network, sealed_headers, header_names, text_field,
                                        updated_at)
          VALUES (${endpoint.id}, ${target.inbox_id}, ${target.url}, ${input.methods ?? null},
                  ${match}, ${target.public_only}, ${byCreator}, ${creatorNetwork(caller)},
                  ${target.sealed_headers}, ${target.header_names}::text[], ${target.text_field},
                  ${endpoint.settings_at})
          ON CONFLICT (endpoint_id) DO UPDATE SET
            inbox_id = excluded.inbox_id, url = excluded.url, methods = excluded.methods,
            match = excluded.match, public_only = excluded.public_only,
            by_creator = excluded.by_creator, network = excluded.network,
            sealed_headers = excluded.sealed_headers, header_names = excluded.header_names,
            text_field = excluded.text_field, updated_at = excluded.updated_at`,
      db,
    );
    await query(
      sql`UPDATE endpoint_state SET obstacle = NULL
          WHERE endpoint_id = ${endpoint.id} AND obstacle IS NOT NULL`,
      db,
    );
    const to = targetName(input);
    await recordSetting(db, caller, endpoint, byCreator, "webhook.forward_set", { to });
    return find(endpoint, db);
  };
  const forward = await withLockedEndpoint(caller, id, work, commit);
  if (forward.held_count > 0) catchUpLater([forward.endpoint_id]);
  return forward;
}

/**
 * Stops forwarding, also of events that are held back, and cancels the messages that are still to be sent. Throws 404,
 * also if the endpoint has no forward, 403, and 412 when the precondition fails.
 */
export async function remove(
  caller: Caller,
  id: string,
  precondition?: Precondition,
): Promise<void> {
  const byCreator = await isCreators(caller, id);
  await withLockedEndpoint(caller, id, async (endpoint, db) => {
    const forward = await find(endpoint, db);
    precondition?.(forward);
    const where = { endpoint_id: endpoint.id };
    await db.webhookForward.delete({ where, select: { endpoint_id: true } });
    await skipHeld(endpoint.id, db);
    // A message that was claimed alone has another owner.
    const isOwners = sql`organization_id IS NOT DISTINCT FROM ${endpoint.organization_id}`;
    await cancelPending("webhook_endpoint_id", endpoint.id, db, isOwners);
    await recordSetting(db, caller, endpoint, byCreator, "webhook.forward_removed");
  });
}

/**
 * Forwarding to a capture URL could loop, so it is refused. Other loops end at `FORWARDED_HEADER`.
 */
function assertNoLoop(url: string): void {
  const target = new URL(url);
  if (!isOwnHost(target) || !/^\/+api\/+catch(\/|$)/i.test(target.pathname)) return;
  throw invalidParam(
    "url",
    "url is a capture URL of this service: forwarded events are not captured again.",
  );
}

function serialize(endpoint: EndpointRow, row: ForwardRow): WebhookForward {
  return toResource(WebhookForward, row, {
    endpoint_id: endpoint.id,
    organization_id: endpoint.organization_id,
    match: row.match === null ? null : JSON.parse(row.match),
    held_reason: row.held_count === 0 ? null : (row.obstacle ?? "queued"),
    survives_claim: row.by_creator || endpoint.organization_id !== null,
  });
}

import { lockOrganizations } from "@/lib/identity/organizations/lock";
import { personBehind } from "@/lib/identity/people/person";
import type { Caller } from "@/lib/platform/caller";
import { unixNow } from "@/lib/platform/db/clock";
import { columns, type RowOf } from "@/lib/platform/db/columns";
import type { Commit } from "@/lib/platform/db/commit";
import { newId } from "@/lib/platform/db/ids";
import { queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError, notFound, rateLimited } from "@/lib/platform/errors";
import { assertNoMessage } from "@/lib/platform/http/relayed";
import { emptyList, type List, type ListQuery } from "@/lib/platform/lists/list";
import { listNewest } from "@/lib/platform/lists/newest";
import { targetName } from "@/lib/resources/messages/push-target";
import { countEnded, type Ended, NONE_ENDED } from "@/lib/resources/messages/replays";
import { assertReachable } from "@/lib/resources/messages/target";
import { matching } from "@/lib/resources/webhooks/events/filter";
import {
  type EndpointRow,
  findEndpoint,
  withLockedEndpoint,
} from "@/lib/resources/webhooks/service";
import { auditSetting } from "@/lib/resources/webhooks/settings";
import {
  type BulkReplay,
  type BulkReplayCreate,
  REPLAYED_EVENTS_PER_DAY_MAX,
  REPLAYS_AT_ONCE_MAX,
} from "./contract";
import { cancelReplay, runReplaysSoon } from "./run";

const DAY_SECONDS = 86_400;

const COLUMNS = columns(
  "WebhookReplay",
  `id, endpoint_id, organization_id, url, method, q, header, since, retry, status, total,
   searched, skipped, delivered, failed, canceled, created_at, ended_at`,
);

/** The counts of messages are null until all have finished. */
type ReplayRow = RowOf<typeof COLUMNS>;

/** How many of its failed messages are stored: each is deleted some days after it has ended. */
export type StoredReplay = BulkReplay & { stored_failed: number };

/**
 * Replays an endpoint's events that match the filter, oldest first, up to the newest one now. Runs
 * in the background and survives restarts. Throws 404, 403, also for a public endpoint, and 429.
 */
export async function create(
  caller: Caller,
  id: string,
  input: BulkReplayCreate,
  commit: Commit,
): Promise<BulkReplay> {
  assertNoMessage(caller);
  assertReachable(caller, input.url);
  const { url, method = null, q = null, header = null, since = null, retry = false } = input;
  const now = await unixNow();
  const store = async (endpoint: EndpointRow, db: Transaction) => {
    const { organization_id } = endpoint;
    if (organization_id === null) {
      throw new ApiError(
        "forbidden",
        "This endpoint is public. Claim it to replay many events, or replay them one by one.",
      );
    }
    const range = matching(endpoint, { since: input.since, method: input.method });
    // (d) Both figures in one pass.
    const events = await queryOne<{ up_to: string | null; total: number }>(
      sql`SELECT max(id) AS up_to, count(*) AS total FROM webhook_events WHERE ${range}`,
      db,
    );
    const { up_to, total } = { total: 0, ...events, up_to: events?.up_to ?? "wev_0" };
    await assertQuota(organization_id, total, db);
    const created = await db.webhookReplay.create({
      data: {
        id: newId("wrp"),
        organization_id,
        endpoint_id: endpoint.id,
        url,
        retry,
        public_only: caller.foreignPage !== undefined,
        key_id: caller.kind === "key" ? caller.keyId : null,
        // For a key, too: an expired one is not revoked when their membership ends.
        user_id: await personBehind(caller, db),
        method,
        q,
        header,
        since,
        position: since ?? "wev_0",
        up_to,
        total,
        status: total === 0 ? "completed" : "running",
        ended_at: total === 0 ? now : null,
      },
      omit: {
        public_only: true,
        key_id: true,
        user_id: true,
        position: true,
        up_to: true,
        made: true,
      },
    });
    await auditSetting(db, caller, endpoint, "webhook.replay_started", { to: targetName(input) });
    return serializeNow(created);
  };
  const created = await withLockedEndpoint(caller, id, store, commit);
  if (created.ended_at === null) runReplaysSoon();
  return created;
}

async function assertQuota(organizationId: string, events: number, db: Transaction): Promise<void> {
  // Two requests cannot both take the last slot.
  await lockOrganizations(db, sql`${organizationId}`);
  // (d) Both sums in one pass.
  const used = await queryOne<{ running: number; events: number }>(
    sql`SELECT count(*) FILTER (WHERE ended_at IS NULL) AS running,
               coalesce(sum(total) FILTER (
                 WHERE created_at > unix_now() - ${DAY_SECONDS}::bigint), 0)::int AS events
        FROM webhook_replays
        WHERE organization_id = ${organizationId}
          AND (ended_at IS NULL OR created_at > unix_now() - ${DAY_SECONDS}::bigint)`,
    db,
  );
  if ((used?.running ?? 0) >= REPLAYS_AT_ONCE_MAX) {
    throw rateLimited(
      `An organization can run ${REPLAYS_AT_ONCE_MAX} bulk replays at a time. Wait for one to end, or cancel it.`,
      60,
    );
  }
  if ((used?.events ?? 0) + events > REPLAYED_EVENTS_PER_DAY_MAX) {
    throw rateLimited(
      `An organization can search ${REPLAYED_EVENTS_PER_DAY_MAX} events for bulk replays in 24 hours. It has searched ${used?.events}, and this replay has ${events}.`,
      3600,
    );
  }
}

/** Throws 404 and 403. */
export async function get(caller: Caller, id: string, replayId: string): Promise<BulkReplay> {
  const row = await find(caller, id, replayId);
  return serializeNow(row, (await countNow([row])).get(row.id));
}

/** An endpoint's bulk replays, newest first. Throws 404 and 403. */
export async function list(
  caller: Caller,
  id: string,
  listQuery: ListQuery,
): Promise<List<BulkReplay>> {
  const replays = await listStored(caller, id, listQuery);
  return { ...replays, data: replays.data.map(({ stored_failed: _, ...replay }) => replay) };
}

/** Like `list`, with what is stored of each. */
export async function listStored(
  caller: Caller,
  id: string,
  listQuery: ListQuery,
): Promise<List<StoredReplay>> {
  const endpoint = await findEndpoint(caller, id);
  if (endpoint.organization_id === null) return emptyList(listQuery);
  const rows = await listNewest<ReplayRow, ReplayRow>(
    {
      table: sql`webhook_replays`,
      columns: COLUMNS,
      conditions: [sql`endpoint_id = ${endpoint.id}`],
      serialize: (row) => row,
    },
    listQuery,
  );
  const counts = await countNow(rows.data);
  const data = rows.data.map((row) => ({
    ...serializeNow(row, counts.get(row.id)),
    stored_failed: counts.get(row.id)?.failed ?? 0,
  }));
  return { ...rows, data };
}

/** See `cancelReplay`. Idempotent. Throws 404 and 403. */
export async function cancel(caller: Caller, id: string, replayId: string): Promise<BulkReplay> {
  await find(caller, id, replayId);
  if (await cancelReplay(replayId)) runReplaysSoon();
  // Not recorded with its effect: a repeat cancels nothing more, and gets the same response.
  return get(caller, id, replayId);
}

async function find(caller: Caller, id: string, replayId: string): Promise<ReplayRow> {
  const endpoint = await findEndpoint(caller, id);
  const row = await queryOne<ReplayRow>(
    sql`SELECT ${COLUMNS} FROM webhook_replays
        WHERE id = ${replayId} AND endpoint_id = ${endpoint.id}`,
  );
  if (!row) throw notFound("replay", replayId);
  return row;
}

/** Counts the messages now: failed and canceled ones may have been retried since the replay ended. */
function countNow(rows: ReplayRow[]): Promise<Map<string, Ended>> {
  const changing = rows.filter((row) => row.ended_at === null || row.failed || row.canceled);
  return countEnded(changing.map(({ id }) => id));
}

function serializeNow(row: ReplayRow, now = NONE_ENDED): BulkReplay {
  const sum = now.delivered + now.failed + now.canceled + now.pending;
  const stored = (row.delivered ?? 0) + (row.failed ?? 0) + (row.canceled ?? 0);
  // Messages are deleted some days after they finish, and then only the row has the counts.
  const { delivered, failed, canceled } = row.ended_at === null || sum === stored ? now : row;
  return {
    ...row,
    object: "webhook_replay",
    gone: row.status === "completed" ? row.total - row.searched : 0,
    delivered: delivered ?? 0,
    failed: failed ?? 0,
    canceled: canceled ?? 0,
    pending: now.pending,
  };
}

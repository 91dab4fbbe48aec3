import { config } from "@/lib/platform/config/config";
import { columns, type Row, type RowOf } from "@/lib/platform/db/columns";
import { query, queryOne, sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { logError } from "@/lib/platform/telemetry/log";
import type { Change } from "@/lib/resources/changes/contract";
import { isBefore, type Position, positionOf, START } from "@/lib/resources/changes/position";
import { HORIZON, latestPosition, readChanges } from "@/lib/resources/changes/read";
import { expire } from "@/lib/resources/inboxes/events/expire";
import { insert } from "@/lib/resources/inboxes/events/insert";
import { ownEvent } from "@/lib/resources/inboxes/events/send";
import { countPending, enqueue } from "@/lib/resources/messages/enqueue";
import { textBody } from "@/lib/resources/messages/target-headers";

/**
 * The header in which a pushed change carries its subscription. The database's function
 * `record_dead_events` reads it.
 */
const SUBSCRIPTION_HEADER = "subscription-id";

/** The number of a subscription's unfinished messages at which further changes are held back. */
export const PENDING_MAX = 1000;
const CHANGES_PER_TRANSACTION = 100;
const SUBSCRIPTIONS_PER_ROUND = 1000;

/** Pushes all new changes, for the scheduler. */
export async function pushAllChanges(): Promise<void> {
  // (d) Unordered, so that subscriptions that are held back do not starve the rest.
  const due = await query<Row<"Subscription", "id" | "inbox_id">>(sql`
    SELECT id, inbox_id FROM subscriptions AS subscription
    WHERE event IS NULL AND EXISTS (
      SELECT FROM changes
      WHERE changes.organization_id = subscription.organization_id AND xid < ${HORIZON}
        AND (xid, changes.id) > (after_xid, after_id))
    ORDER BY random() LIMIT ${SUBSCRIPTIONS_PER_ROUND}`);
  for (const { id, inbox_id } of due) {
    await pushChanges(id, inbox_id).catch((error) =>
      logError("Changes could not be pushed:", error),
    );
  }
}

async function pushChanges(id: string, inboxId: string | null): Promise<void> {
  // Expired events would make the inbox look full.
  if (inboxId !== null) await expire(inboxId);
  while (await transaction((db) => pushSome(id, db)));
}

const COLUMNS = columns(
  "Subscription",
  "id, organization_id, url, inbox_id, text_field, kinds, actions, public_only, after_xid, after_id",
);

type SubscriptionRow = RowOf<typeof COLUMNS>;

/**
 * Pushes the next changes and advances the subscription, in one transaction, so that each change is
 * pushed once. Returns whether there may be more.
 */
async function pushSome(id: string, db: Transaction): Promise<boolean> {
  // (a) If another process has locked it, that process pushes the changes.
  const subscription = await queryOne<SubscriptionRow>(
    sql`SELECT ${COLUMNS} FROM subscriptions WHERE id = ${id} FOR NO KEY UPDATE SKIP LOCKED`,
    db,
  );
  if (!subscription) return false;
  const page = await nextPage(subscription, db);
  const pushed = page.changes.length === 0 ? 0 : await push(subscription, page.changes, db);
  const isHeld = pushed < page.changes.length;
  const reached = isHeld ? positionAfter(page.changes.slice(0, pushed)) : page.next;
  const obstacle = subscription.url === null ? "inbox_full" : "too_many_pending";
  // (c) The scheduler runs it, also in processes that serve no other requests.
  await query(
    sql`UPDATE subscriptions SET obstacle = ${isHeld ? obstacle : null},
          after_xid = coalesce(${reached?.xid ?? null}::bigint, after_xid),
          after_id = coalesce(${reached?.id ?? null}::bigint, after_id)
        WHERE id = ${id}`,
    db,
  );
  return page.hasMore && !isHeld;
}

async function nextPage(subscription: SubscriptionRow, db: Transaction) {
  const { organization_id: organizationId, kinds, actions } = subscription;
  const filter = {
    kind: kinds.length === 0 ? undefined : kinds,
    action: actions.length === 0 ? undefined : actions,
  };
  const latest = await latestPosition(db);
  const last = { xid: subscription.after_xid, id: subscription.after_id };
  // In a database restored from a dump, transaction IDs may be lower.
  const after = isBefore(latest, last) ? latest : last;
  const read = (position: Position) =>
    readChanges(organizationId, position, filter, CHANGES_PER_TRANSACTION, db);
  return read(after).catch((error) => {
    // Held back for so long that some changes were removed: continue with the oldest that are left.
    if (error instanceof ApiError && error.code === "cursor_expired") return read(START);
    throw error;
  });
}

function positionAfter(changes: Change[]): Position | undefined {
  const last = changes.at(-1);
  return last && positionOf(last.id);
}

/** Makes messages or inbox events from the first changes, as many as the limit allows. */
async function push(
  subscription: SubscriptionRow,
  changes: Change[],
  db: Transaction,
): Promise<number> {
  const { id, url, inbox_id: inboxId } = subscription;
  const bodies = changes.map((change) => bodyOf(subscription, change));
  if (inboxId !== null) {
    const headers = { "content-type": "application/json", [SUBSCRIPTION_HEADER]: id };
    const arrivals = bodies.map((body) => ownEvent(body, headers));
    const outcomes = await insert(inboxId, arrivals, db);
    return outcomes.filter((outcome) => typeof outcome === "object").length;
  }
  const pending = await countPending("subscription_id", id, PENDING_MAX, db);
  const fitting = bodies.slice(0, PENDING_MAX - pending);
  if (url === null || fitting.length === 0) return 0;
  const headers = { "Content-Type": "application/json", "Subscription-Id": id };
  const { organization_id, public_only } = subscription;
  const message = { subscription_id: id, organization_id, url, method: "POST", headers } as const;
  await enqueue(
    fitting.map((body) => ({ ...message, body, public_only, takes_headers: true })),
    db,
  );
  return fitting.length;
}

function bodyOf({ text_field }: SubscriptionRow, change: Change): Buffer {
  const { kind, action, resource_id: id } = change;
  const type = `${kind}.${action}`;
  if (text_field === null) return Buffer.from(JSON.stringify({ type, data: change }));
  const where = action === "deleted" ? "" : ` Read it at ${config().baseUrl}/api/${kind}/${id}.`;
  return textBody(text_field, `Something changed: ${type}, ${id}.${where}`);
}

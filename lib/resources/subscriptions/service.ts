import { assertAccess } from "@/lib/identity/access";
import { audit } from "@/lib/identity/audit/audit";
import type { Caller } from "@/lib/platform/caller";
import { type Commit, together, unrecorded } from "@/lib/platform/db/commit";
import { newId } from "@/lib/platform/db/ids";
import { queryOne, sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { ApiError, invalidParam, notFound, quote } from "@/lib/platform/errors";
import type { Precondition } from "@/lib/platform/http/conditional";
import { emptyList, type List } from "@/lib/platform/lists/list";
import { listNewest } from "@/lib/platform/lists/newest";
import { actorOf } from "@/lib/resources/change";
import { latestPosition } from "@/lib/resources/changes/read";
import { assertReachable } from "@/lib/resources/messages/target";
import {
  SUBSCRIPTIONS_MAX,
  type Subscription,
  type SubscriptionCreate,
  type SubscriptionListQuery,
} from "./contract";

interface SubscriptionRow {
  id: string;
  organization_id: string;
  url: string | null;
  inbox_id: string | null;
  /** Empty: all. */
  kinds: NonNullable<Subscription["kinds"]>;
  actions: NonNullable<Subscription["actions"]>;
  obstacle: Subscription["held_reason"];
  created_at: number;
}

const COLUMNS = sql`id, organization_id, url, inbox_id, kinds, actions, obstacle, created_at`;

/** The subscriptions of the caller's organization, newest first. */
export async function list(
  caller: Caller,
  listQuery: SubscriptionListQuery,
): Promise<List<Subscription>> {
  if (caller.kind === "anonymous") return emptyList(listQuery);
  return listNewest<SubscriptionRow, Subscription>(
    {
      table: sql`subscriptions`,
      organizationId: caller.organizationId,
      columns: COLUMNS,
      longTexts: [sql`url`],
      conditions: [],
      serialize,
    },
    listQuery,
  );
}

/** Throws 404, and 403 for that of another organization. */
export async function get(caller: Caller, id: string): Promise<Subscription> {
  const row = await queryOne<SubscriptionRow>(
    sql`SELECT ${COLUMNS} FROM subscriptions WHERE id = ${id}`,
  );
  if (!row) throw notFound("subscription", id);
  assertAccess(caller, row.organization_id);
  return serialize(row);
}

/**
 * Pushes the changes from now on. Throws 400 for a target that is not allowed and for too many
 * subscriptions, and 404 and 403 for the inbox.
 */
export async function create(
  caller: Caller,
  input: SubscriptionCreate,
  commit: Commit = unrecorded,
): Promise<Subscription> {
  const { url, inbox_id } = input;
  const actor = actorOf(caller);
  if (caller.kind === "anonymous" || actor === null)
    throw new Error("A subscription has an owner.");
  const { organizationId } = caller;
  if (url === undefined && inbox_id === undefined) {
    throw new ApiError("missing_required_param", "Either url or inbox_id is required.", {
      param: "url",
    });
  }
  if (url !== undefined && inbox_id !== undefined) {
    throw invalidParam("inbox_id", "Set either url or inbox_id, not both.");
  }
  if (url !== undefined) assertReachable(caller, url);
  const store = together(async (db) => {
    if (inbox_id !== undefined) await assertOwnInbox(caller, organizationId, inbox_id, db);
    await assertRoom(organizationId, db);
    const { xid, id } = await latestPosition(db);
    const row = await queryOne<SubscriptionRow>(
      sql`INSERT INTO subscriptions (id, organization_id, url, inbox_id, kinds, actions, public_only,
                                     after_xid, after_id)
          VALUES (${newId("sub")}, ${organizationId}, ${url ?? null}, ${inbox_id ?? null},
                  ${input.kinds ?? []}, ${input.actions ?? []}, ${caller.foreignPage !== undefined},
                  ${xid}, ${id})
          RETURNING ${COLUMNS}`,
      db,
    );
    if (!row) throw new Error("An insert returned no row.");
    await audit(db, {
      action: "subscription.created",
      actor,
      organizationId,
      data: { subscription: row.id, to: inbox_id ?? new URL(url ?? "").origin },
    });
    return serialize(row);
  });
  return commit(store);
}

/**
 * Ends a subscription; messages that it has made are still sent. Throws 404, 403, and 412 when the
 * precondition fails.
 */
export async function remove(
  caller: Caller,
  id: string,
  precondition?: Precondition,
): Promise<void> {
  const subscription = await get(caller, id);
  precondition?.(subscription);
  const { organization_id: organizationId } = subscription;
  const actor = actorOf(caller);
  if (actor === null) throw new Error("A subscription has an owner.");
  await transaction(async (db) => {
    const removed = await queryOne(
      sql`DELETE FROM subscriptions WHERE id = ${id} RETURNING id`,
      db,
    );
    if (!removed) throw notFound("subscription", id);
    await audit(db, {
      action: "subscription.deleted",
      actor,
      organizationId,
      data: { subscription: id },
    });
  });
}

/** The lock lets concurrent creates count one after the other. */
async function assertRoom(organizationId: string, db: Transaction): Promise<void> {
  await queryOne(
    sql`SELECT id FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`,
    db,
  );
  const found = await queryOne<{ count: number }>(
    sql`SELECT count(*) FROM subscriptions WHERE organization_id = ${organizationId}`,
    db,
  );
  if ((found?.count ?? 0) < SUBSCRIPTIONS_MAX) return;
  throw new ApiError(
    "invalid_param",
    `An organization can have at most ${SUBSCRIPTIONS_MAX} subscriptions.`,
  );
}

async function assertOwnInbox(
  caller: Caller,
  organizationId: string,
  inboxId: string,
  db: Transaction,
): Promise<void> {
  const inbox = await queryOne<{ organization_id: string | null }>(
    sql`SELECT organization_id FROM inboxes WHERE id = ${inboxId} FOR KEY SHARE`,
    db,
  );
  if (!inbox) {
    throw new ApiError("resource_not_found", `No inbox has the ID ${quote(inboxId)}.`, {
      param: "inbox_id",
    });
  }
  assertAccess(caller, inbox.organization_id);
  if (inbox.organization_id === organizationId) return;
  throw invalidParam(
    "inbox_id",
    "The inbox is public, so anyone could read your changes. Claim it.",
  );
}

function serialize(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    object: "subscription",
    organization_id: row.organization_id,
    url: row.url,
    inbox_id: row.inbox_id,
    kinds: row.kinds.length === 0 ? null : row.kinds,
    actions: row.actions.length === 0 ? null : row.actions,
    held_reason: row.obstacle,
    created_at: row.created_at,
  };
}

import { assertAccess } from "@/lib/identity/access";
import { audit } from "@/lib/identity/audit/audit";
import type { Caller } from "@/lib/platform/caller";
import { columns, type RowOf } from "@/lib/platform/db/columns";
import { type Commit, together } from "@/lib/platform/db/commit";
import { newId } from "@/lib/platform/db/ids";
import { queryOne, sql, transaction } from "@/lib/platform/db/sql";
import { invalidParam, notFound } from "@/lib/platform/errors";
import type { Precondition } from "@/lib/platform/http/conditional";
import { isOwnHost } from "@/lib/platform/http/own-origin";
import { emptyList, type List, type ListQuery } from "@/lib/platform/lists/list";
import { listNewest } from "@/lib/platform/lists/newest";
import { actorOf } from "@/lib/resources/change";
import { latestPosition } from "@/lib/resources/changes/read";
import { assertInboxOwner } from "@/lib/resources/inboxes/owned";
import { assertTarget, targetColumns, targetName } from "@/lib/resources/messages/push-target";
import { toResource } from "@/lib/resources/to-resource";
import { Subscription, type SubscriptionCreate } from "./contract";
import * as ending from "./ending";
import { pushSoon } from "./pusher";
import { assertQuota, LASTS } from "./quota";

const COLUMNS = columns(
  "Subscription",
  `id, organization_id, url, inbox_id, header_names, text_field, kinds, actions, obstacle, created_at,
   event, expires_at, suspended_at`,
);

const INBOX = {
  param: "inbox_id",
  refusal: "The inbox is public, so anyone could read your changes. Claim it.",
};

type SubscriptionRow = RowOf<typeof COLUMNS>;

/** The subscriptions of the caller's organization, newest first. */
export async function list(caller: Caller, listQuery: ListQuery): Promise<List<Subscription>> {
  if (caller.kind === "anonymous") return emptyList(listQuery);
  return listNewest<SubscriptionRow, Subscription>(
    {
      table: sql`subscriptions`,
      organizationId: caller.organizationId,
      columns: COLUMNS,
      longTexts: ["url"],
      conditions: [LASTS],
      serialize,
    },
    listQuery,
  );
}

/** Throws 404, also after its time, and 403 for another organization's subscription. */
export async function get(caller: Caller, id: string): Promise<Subscription> {
  // (c) Reads and compares with the database's time at once.
  const row = await queryOne<SubscriptionRow>(
    sql`SELECT ${COLUMNS} FROM subscriptions WHERE id = ${id} AND ${LASTS}`,
  );
  if (!row) throw notFound("subscription", id);
  assertAccess(caller, row.organization_id);
  return serialize(row);
}

/**
 * Pushes changes from now on. Throws 400 for a target that is not allowed and for too many
 * subscriptions, and 404 and 403 for the inbox.
 */
export async function create(
  caller: Caller,
  input: SubscriptionCreate,
  commit: Commit,
): Promise<Subscription> {
  const { url, inbox_id } = input;
  const actor = actorOf(caller);
  if (caller.kind === "anonymous" || actor === null)
    throw new Error("A subscription has an owner.");
  const { organizationId } = caller;
  assertTarget(caller, input, "url");
  if (url !== undefined && input.headers && isOwnHost(new URL(url))) {
    throw invalidParam("headers", "headers cannot be sent to this service: that could loop.");
  }
  const store = together(async (db) => {
    if (inbox_id !== undefined) {
      await assertInboxOwner(caller, organizationId, inbox_id, INBOX, db);
    }
    await assertQuota(organizationId, "invalid_param", db);
    const { xid, id } = await latestPosition(db);
    const ownId = newId("sub");
    const row = await db.subscription.create({
      data: {
        id: ownId,
        ...targetColumns(caller, ownId, input),
        organization_id: organizationId,
        kinds: input.kinds ?? [],
        actions: input.actions ?? [],
        after_xid: xid,
        after_id: id,
      },
    });
    await audit(db, {
      action: "subscription.created",
      actor,
      organizationId,
      data: { subscription: row.id, to: targetName(input) },
    });
    return serialize(row);
  });
  const subscription = await commit(store);
  void pushSoon();
  return subscription;
}

/** Ends a subscription, and cancels its messages that are still to be sent. Throws 404, 403 and 412. */
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
    if (!(await ending.remove(id, sql`true`, db))) throw notFound("subscription", id);
    await audit(db, {
      action: "subscription.deleted",
      actor,
      organizationId,
      data: { subscription: id },
    });
  });
}

function serialize(row: SubscriptionRow): Subscription {
  return toResource(Subscription, row, {
    kinds: row.kinds.length === 0 ? null : row.kinds,
    actions: row.actions.length === 0 ? null : row.actions,
    held_reason: row.suspended_at === null ? row.obstacle : "callback_failed",
  });
}

import { assertAccess } from "@/lib/identity/access";
import { HAS_NOT_ENDED } from "@/lib/identity/keys/live-key";
import type { Caller } from "@/lib/platform/caller";
import { queryShownOne } from "@/lib/platform/db/replica";
import { join, raw, type Sql, sql } from "@/lib/platform/db/sql";
import { inboxKind } from "@/lib/resources/inboxes/kind";
import type { Kind } from "@/lib/resources/kinds";
import { resources } from "@/lib/resources/registry";
import { webhookKind } from "@/lib/resources/webhooks/kind";

/** Counts stop here. */
export const COUNT_MAX = 10_000;

/** How many things of one kind an organization has. */
export interface Holding {
  /** "task" for one, otherwise "tasks". */
  noun: string;
  /** `COUNT_MAX + 1` stands for any larger number. */
  count: number;
}

/** Counts what would be deleted with the caller's organization. Throws 403. */
export async function countHoldings(caller: Caller, organizationId: string): Promise<Holding[]> {
  assertAccess(caller, organizationId);
  const rows = (table: Sql, condition = sql`true`) =>
    sql`SELECT 1 FROM ${table} WHERE organization_id = ${organizationId} AND ${condition}`;
  const keys = (which: Sql) => rows(sql`api_keys`, sql`${HAS_NOT_ENDED} AND ${which}`);
  // Uses the counters of their parents, so the parts need not be read.
  const parts = ({ table }: Kind, state: NonNullable<Kind["state"]>) =>
    sql`SELECT 1 FROM (
          SELECT ${raw(state.count)} AS parts
          FROM ${raw(table)} AS owner JOIN ${raw(state.table)} ON ${raw(state.parent)} = owner.id
          WHERE owner.organization_id = ${organizationId}
          LIMIT ${COUNT_MAX}) AS owned CROSS JOIN LATERAL generate_series(1, parts)`;
  const self = caller.kind === "user" ? caller.userId : "";
  const counted = [
    ...resources.map(({ kind, table }) => ({ noun: kind.noun, rows: rows(table) })),
    { noun: "captured request", rows: parts(webhookKind, webhookKind.state) },
    { noun: "inbox event", rows: parts(inboxKind, inboxKind.state) },
    { noun: "subscription", rows: rows(sql`subscriptions`) },
    { noun: "API key", rows: keys(sql`kind <> 'oauth_grant'`) },
    { noun: "connected client", rows: keys(sql`kind = 'oauth_grant'`) },
    { noun: "agent", rows: rows(sql`agent_registrations`, sql`revoked_at IS NULL`) },
    { noun: "invitation", rows: rows(sql`invitations`, sql`expires_at > unix_now()`) },
    { noun: "other member", rows: rows(sql`members`, sql`user_id <> ${self}`) },
  ];
  const counts = counted.map(
    (one) => sql`(SELECT count(*) FROM (${one.rows} LIMIT ${COUNT_MAX + 1}) AS counted)`,
  );
  const found = await queryShownOne<{ counts: number[] }>(
    sql`SELECT ARRAY[${join(counts, ", ")}]::int[] AS counts`,
  );
  return counted.flatMap(({ noun }, index) => {
    const count = found?.counts[index] ?? 0;
    if (count === 0) return [];
    return [{ noun: count === 1 ? noun : `${noun}${noun.endsWith("x") ? "es" : "s"}`, count }];
  });
}

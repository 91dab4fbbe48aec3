import { organizationOf } from "@/lib/identity/access";
import { creatorNetwork } from "@/lib/identity/anonymous";
import type { Caller } from "@/lib/platform/caller";
import { LARGE_ROWS_MAX } from "@/lib/platform/db/remove-rows";
import { join, queryOne, raw, sql } from "@/lib/platform/db/sql";
import { type InTurn, searchGate } from "@/lib/platform/limits/search-gate";
import type { Kind } from "./kinds";

/** Whether a resource has more parts of one kind than a statement should delete. False without a state. */
export async function hasMany({ parts, state }: Kind, id: string): Promise<boolean> {
  if (!state) return false;
  const many = parts.map(
    ({ table, parent }) =>
      sql`EXISTS (SELECT FROM ${raw(table)} WHERE ${raw(parent)} = ${id} OFFSET ${LARGE_ROWS_MAX})`,
  );
  const found = await queryOne<{ has_many: boolean }>(sql`
    SELECT ${join(many, " OR ")} AS has_many FROM ${raw(state.table)} WHERE ${raw(state.parent)} = ${id}`);
  return found?.has_many ?? false;
}

/** The turns of a caller's deletions and claims: however many there are, they leave connections for other requests. */
export function turnsOfChanges(caller: Caller): InTurn {
  const client = { address: organizationOf(caller) ?? creatorNetwork(caller), isUnderWay: true };
  return (step) => searchGate().run(client, step);
}

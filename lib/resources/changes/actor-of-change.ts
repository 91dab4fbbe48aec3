import { actorName } from "@/lib/identity/actor-name";
import type { Caller } from "@/lib/platform/caller";
import { type Sql, sql } from "@/lib/platform/db/sql";
import { schedules } from "@/lib/resources/schedules/service";

/**
 * Names who made a change, as `actorName` does, or else the schedule, if it still exists. `name` is the
 * column, which `joins` finds; `change` is the alias of a row of the feed.
 */
export function actorOfChange(caller: Caller, change: Sql): { name: Sql; joins: Sql } {
  const [actor, owner] = [sql`${change}.actor`, sql`${change}.organization_id`];
  const { name, joins } = actorName(caller, actor, owner);
  const schedule = sql`(SELECT 'the schedule ' || ${schedules.title} FROM ${schedules.table}
    WHERE id = ${actor} AND organization_id = ${owner})`;
  return { name: sql`coalesce(${name}, ${schedule})`, joins };
}

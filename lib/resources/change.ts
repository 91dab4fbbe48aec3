import type { Caller } from "@/lib/platform/caller";
import { type Sql, sql } from "@/lib/platform/db/sql";
import type { KindName } from "./kinds";

/** The actions on a resource that the change feed names. docs/changes.md says when each occurs. */
export const changeActions = [
  "created",
  "updated",
  "deleted",
  "claimed",
  "leased",
  "released",
  "completed",
  "note_added",
  "blocker_added",
  "blocker_removed",
  "shared",
  "unshared",
  "canceled",
  "retried",
  "delivered",
  "failed",
  "event_dead",
  "answered",
  "withdrawn",
  "expired",
] as const;

export type ChangeAction = (typeof changeActions)[number];

/** Who makes a change: the ID of a key or a person; null for an anonymous caller. */
export function actorOf(caller: Caller): string | null {
  if (caller.kind === "anonymous") return null;
  return caller.kind === "key" ? caller.keyId : caller.userId;
}

/**
 * An `INSERT` that records a change of each row of `rows`, which has the columns `id` and
 * `organization_id`. Use it as a `WITH` query of the statement that makes the change, so that
 * neither is stored alone. Changes of public resources are not recorded. As SQL, `action` and
 * `actor` read the row `changed`; the actor is null if the service itself made the change.
 * `progress` is the new progress of a task whose labels were changed.
 */
export function recordChanges(
  kind: KindName,
  action: ChangeAction | Sql,
  rows: Sql,
  actor: Sql | string | null,
  progress: Sql | null = null,
): Sql {
  return sql`
    INSERT INTO changes (organization_id, kind, action, resource_id, actor, progress)
    SELECT changed.organization_id, ${kind}::resource_kind, ${action}::text::change_action, changed.id,
           ${actor}, ${progress}
    FROM ${rows} AS changed WHERE changed.organization_id IS NOT NULL`;
}

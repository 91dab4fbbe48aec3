import { hiddenFromPlanner } from "@/lib/platform/db/owned";
import { queryShown } from "@/lib/platform/db/replica";
import { sql } from "@/lib/platform/db/sql";
import { schedules } from "@/lib/resources/schedules/service";
import { eachOpenTask } from "./open-tasks";

/** Part of the text, since the planner would guess the value of a parameter. */
const ROWS_MAX = sql`12`;

/** What happens at a time that is already known. */
export interface Coming {
  /** The ID of a message, a schedule or a task. */
  id: string;
  title: string;
  at: number;
  /** Attempts so far; messages only. */
  attempts: number;
}

/** An organization's next messages, runs of schedules and due tasks, in the order of their times. */
export function listComing(organizationId: string): Promise<Coming[]> {
  const owned = sql`organization_id = ${hiddenFromPlanner(organizationId)}`;
  const due = eachOpenTask(
    sql`id, name AS title, due_at AS at, 0 AS attempts`,
    sql`${owned} AND due_at >= unix_now()`,
    sql`due_at, id`,
    ROWS_MAX,
  );
  return queryShown<Coming>(sql`
    SELECT * FROM (
      (SELECT id, method::text || ' ' || url AS title, due_at AS at, attempts FROM scheduled_messages
       WHERE ${owned} AND due_at IS NOT NULL AND status <> 'delivering'
       ORDER BY due_at, id LIMIT ${ROWS_MAX})
      UNION ALL
      (SELECT id, ${schedules.title} AS title, due_at AS at, 0 AS attempts FROM schedules
       -- After a change, the next time is known once the schedule has been checked.
       WHERE ${owned} AND due_at > checked_until ORDER BY due_at, id LIMIT ${ROWS_MAX})
      UNION ALL (${due})) AS coming
    ORDER BY at, id LIMIT ${ROWS_MAX}`);
}

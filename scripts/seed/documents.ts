import type { Caller } from "@/lib/platform/caller";
import { unrecorded } from "@/lib/platform/db/commit";
import { query, sql } from "@/lib/platform/db/sql";
import * as artifacts from "@/lib/resources/artifacts/service";
import { share } from "@/lib/resources/artifacts/shares";
import * as leases from "@/lib/resources/tasks/lease";
import { progressOf } from "@/lib/resources/tasks/progress";
import * as tasks from "@/lib/resources/tasks/service";
import { DOCUMENTS } from "./content-documents";
import { TASKS } from "./content-tasks";
import { type AgedRow, DAY, HOUR, moveToPast, randomTimes } from "./past";

/** Tasks of the last ten days, some edited since. */
export async function makeTasks(caller: Caller): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const today = Math.floor(TASKS.length / 3);
  const times = [
    ...randomTimes(TASKS.length - today, 10 * DAY, 1),
    ...randomTimes(today, HOUR, 11),
  ];
  const rows: AgedRow[] = [];
  for (const [index, { dueInHours, ...input }] of TASKS.entries()) {
    const creation = tasks.creation(caller, {
      ...input,
      due_at: dueInHours === undefined ? null : now + dueInHours * HOUR,
      external_id: index % 3 === 0 ? `JIRA-${400 + index}` : null,
    });
    const task = await creation.store();
    const { id } = task;
    if (progressOf(task) === "in-progress") {
      const holder = `planner-${1 + (index % 4)}`;
      const lease = { holder, lease_seconds: 1500 + index * 600 };
      await leases.take(caller, id, lease, unrecorded);
    }
    const ago = times[index] ?? 0;
    rows.push({ id, ago, changedAgo: index % 2 === 0 ? Math.floor(ago / 3) : ago });
  }
  const moved = await moveToPast(sql`tasks`, rows);
  // The copies of the labels, which lists filter by, follow no foreign key.
  await query(sql`
    UPDATE task_labels AS given SET task_id = one.new
    FROM unnest(${rows.map(({ id }) => id)}::text[], ${moved}::text[]) AS one (old, new)
    WHERE given.task_id = one.old`);
}

/** Documents of the last month; those with drafts have several versions by `authors`, and two are shared. */
export async function makeDocuments(caller: Caller, authors: Caller[]): Promise<void> {
  const times = randomTimes(DOCUMENTS.length, 30 * DAY, 2);
  const rows: AgedRow[] = [];
  for (const [index, { drafts = [], ...document }] of DOCUMENTS.entries()) {
    const [first = document.content, ...later] = [...drafts, document.content];
    const { id } = await artifacts.creation(caller, { ...document, content: first }).store();
    for (const [place, content] of later.entries()) {
      await artifacts.update(authors[place % authors.length] ?? caller, id, { content });
    }
    const ago = times[index] ?? 0;
    rows.push({ id, ago, changedAgo: later.length > 0 ? Math.floor(ago / 5) : ago });
  }
  const ids = await moveToPast(sql`artifacts`, rows);
  // Afterwards, since the audit log names the artifact.
  for (const [index, id] of ids.entries()) {
    if (index % 4 === 2) await share(caller, id, { expires_in: (index + 5) * DAY }, unrecorded);
  }
  // Spreads the versions evenly between the first change and the last.
  await query(sql`
    UPDATE artifact_versions SET created_at = artifacts.created_at
      + (artifacts.updated_at - artifacts.created_at) * (number - 1) / greatest(version_count - 1, 1)
    FROM artifacts WHERE artifact_id = artifacts.id AND artifact_id = ANY (${ids}::text[])`);
}

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: These are parts of templates.
import { type Mutant, mutantsOf } from "../mutant";

const LEASES = "api/task-leases";
const BLOCKERS = "api/task-blockers";
const LONG = "fault/long-tasks";

/** Who holds a task, and what it waits for. */
export const tasks: readonly Mutant[] = [
  ...mutantsOf({ file: "lib/resources/tasks/lease-next.ts", specs: [LEASES] }, [
    {
      name: "workers do not lock the tasks that they choose",
      find: "LIMIT ${workers.length} FOR UPDATE SKIP LOCKED",
      replace: "LIMIT ${workers.length}",
      specs: ["fault/locked-rows"],
      grep: "A worker passes over",
    },
    {
      name: "workers wait for tasks that others choose",
      find: "LIMIT ${workers.length} FOR UPDATE SKIP LOCKED",
      replace: "LIMIT ${workers.length} FOR UPDATE",
      specs: ["fault/locked-rows"],
      grep: "A worker passes over",
    },
    {
      name: "lease-next takes tasks that are held",
      find: "AND NOT ${IS_HELD} AND ${matchesLabels(first.input)}",
      replace: "AND ${matchesLabels(first.input)}",
      grep: "lease-next takes free tasks",
    },
    {
      name: "lease-next takes tasks of any organization",
      find: "WHERE organization_id = ${organizationId} AND NOT",
      replace: "WHERE ${organizationId}::text IS NOT NULL AND NOT",
      grep: "no foreign and no public tasks",
    },
    {
      name: "lease-next takes blocked tasks",
      find: "AND ${MAY_BE_READY} AND NOT ${IS_BLOCKED}",
      specs: [BLOCKERS],
      grep: "lease-next skips a task",
    },
    {
      name: "a worker whose key has ended gets a task",
      find: "AND ${live}\n",
      replace: "AND (${live} OR true)\n",
      specs: ["api/revocation"],
      grep: "A job that arrives during",
      reason: "A wait ends with its key. Only a task of the same moment could show this.",
    },
    {
      name: "lease-next takes the least urgent task",
      find: "ORDER BY priority, due_at, id\n",
      replace: "ORDER BY priority DESC, due_at, id\n",
      grep: "lease-next takes free tasks",
    },
    {
      name: "lease-next takes tasks with unwanted labels",
      find: "sql`NOT coalesce(labels && ${notLabels}::text[], false)`",
      replace: "sql`${notLabels}::text[] IS NOT NULL`",
      grep: "none of not_labels",
    },
    {
      name: "lease-next takes done tasks",
      find: "conditions.push(sql`NOT labels @> '{done}'::text[]`);",
      replace: "conditions.push(sql`true`);",
      grep: "done ones only by label",
    },
    {
      name: "a worker that has left gets a task",
      find: "workers.filter(({ signal }) => !signal.aborted)",
      replace: "workers.filter(() => true)",
      grep: "A worker that leaves",
      reason: "A worker can leave a moment later too. Then its lease ends by itself.",
    },
    {
      name: "a waiting worker that has left gets a task",
      find: "if (signal.aborted) return UNRECORDED;",
      grep: "A worker that leaves",
      reason: "It only leaves while its last look waits for its turn. Its lease ends by itself.",
    },
    {
      name: "any number of long tasks are leased in one statement",
      find: "batchWeightMax: TASKS_MAX",
      replace: "batchWeightMax: 100",
      specs: [LONG],
    },
    {
      name: "lookers for tasks of one organization take all connections",
      file: "lib/resources/tasks/ready-topic.ts",
      find: "inTurns(2,",
      replace: "inTurns(100,",
      specs: ["fault/lease-turns"],
      grep: "two at a time",
    },
    {
      name: "workers that look at once take no turns",
      find: "return lookInTurn(organizationId, async () => {",
      replace: "return Promise.resolve().then(async () => {",
      specs: ["fault/lease-turns"],
      grep: "Workers look for a task two at a time",
    },
    {
      name: "each change of a task wakes waiting workers",
      file: "lib/resources/tasks/service.ts",
      find: "CASE WHEN item->'labels' IS NOT NULL THEN tasks.organization_id END",
      replace: "tasks.organization_id",
      specs: ["fault/lease-turns"],
      grep: "wakes waiting workers",
    },
    {
      name: "a lease keeps its fencing token",
      find: "fencing_token = tasks.fencing_token + 1,\n",
      replace: "fencing_token = greatest(tasks.fencing_token, 1),\n",
      grep: "lease",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/tasks/filters.ts", specs: [LEASES] }, [
    {
      name: "a lease ends after its second",
      find: "coalesce(tasks.lease_expires_at > unix_now(), false)",
      replace: "coalesce(tasks.lease_expires_at >= unix_now(), false)",
      grep: "expires to the second",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/tasks/lease.ts", specs: [LEASES] }, [
    {
      name: "a held task can be leased by its ID",
      find: "condition: sql`NOT task.held`",
      replace: "condition: sql`true`",
      grep: "Of workers that take one task",
    },
    {
      name: "any lease_id renews",
      find: "task.lease_id = ${leaseId} AND task.lease_holder IS NOT NULL",
      replace: "${leaseId}::text IS NOT NULL AND task.lease_holder IS NOT NULL",
      grep: "any other is lease_lost",
    },
    {
      name: "a released lease can be renewed",
      find: " AND task.lease_holder IS NOT NULL`,\n          assignments: leaseAssignments",
      replace: "`,\n          assignments: leaseAssignments",
      grep: "but not renewed",
    },
    {
      name: "any lease_id releases",
      find: "condition: sql`task.lease_id = ${leaseId}`",
      replace: "condition: sql`${leaseId}::text IS NOT NULL`",
      grep: "lease",
    },
    {
      name: "a lease by ID does not lock the task",
      find: "FROM tasks WHERE id = ${id} AND ${mayReach(caller)} FOR UPDATE",
      replace: "FROM tasks WHERE id = ${id} AND ${mayReach(caller)}",
      grep: "Of workers that take one task",
    },
    {
      name: "a foreign task can be leased",
      find: "FROM tasks WHERE id = ${id} AND ${mayReach(caller)} FOR UPDATE",
      replace: "FROM tasks WHERE id = ${id} AND (true OR ${mayReach(caller)}) FOR UPDATE",
      specs: ["api/access-matrix"],
    },
    {
      name: "leases of foreign tasks are listed",
      find: "AND ${mayReach(caller)} AND ${IS_HELD}`",
      replace: "AND ${IS_HELD}`",
      specs: ["api/access-matrix"],
      reason: "Its IDs come from a list of the caller's own tasks.",
    },
  ]),
  {
    name: "any number of long tasks are read in one statement",
    file: "lib/resources/resource.ts",
    find: "sql`AND ${bytesOf(longTexts)} <= ${SHORT_BYTES_MAX}`",
    replace: "sql``",
    specs: [LONG],
  },
  {
    name: "any number of long tasks are changed in one statement",
    file: "lib/resources/update.ts",
    find: "    batchItemsMax: ROWS_MAX,\n",
    specs: [LONG],
  },
  {
    name: "lists by several labels take all connections",
    file: "lib/resources/tasks/operations.ts",
    find: "label.length > 1",
    replace: "false",
    specs: ["fault/searches"],
    grep: "fill their turns",
  },
  {
    name: "a task that is done again knows the completions of before",
    file: "lib/resources/tasks/labels.ts",
    find: "CASE WHEN tasks.labels @> '{done}' THEN tasks.completion_digest END",
    replace: "tasks.completion_digest",
    specs: ["api/task-complete"],
    grep: "A task that is done again",
  },
  ...mutantsOf({ file: "lib/resources/tasks/complete.ts", specs: ["api/task-complete"] }, [
    {
      name: "a completion needs no current lease",
      find: "lease_id = ${leaseId ?? null} AND (lease_holder IS NOT NULL OR labels @> '{done}')",
      replace: "true OR lease_id = ${leaseId ?? null}",
      grep: "A lease that is over completes nothing",
    },
    {
      name: "a released lease completes",
      find: " AND (lease_holder IS NOT NULL OR labels @> '{done}')",
      grep: "A lease that is over completes nothing",
    },
    {
      name: "a completion does not lock the task",
      find: "FROM tasks WHERE id = ${id} AND ${mayReach(caller)} FOR UPDATE",
      replace: "FROM tasks WHERE id = ${id} AND ${mayReach(caller)}",
      grep: "waited for the task together",
    },
    {
      name: "a repeated completion adds its note again",
      find: "labels @> '{done}' AND coalesce(strpos(completion_digest, ${digest}), 0) > 0",
      replace: "false AND coalesce(strpos(completion_digest, ${digest}), 0) > 0",
      grep: "A completion may be repeated",
    },
    {
      name: "a completion adds any number of labels",
      find: "AND is_holder AND cardinality(wanted.labels) <= ${LABELS_MAX}",
      replace: "AND is_holder",
      grep: "would break a limit",
    },
    {
      name: "a completion adds any number of notes",
      find: "AND tasks.note_count + is_noted::int <= ${NOTES_MAX}",
      grep: "would break a limit",
    },
    {
      name: "a foreign task can be completed",
      find: "FROM tasks WHERE id = ${id} AND ${mayReach(caller)} FOR UPDATE",
      replace: "FROM tasks WHERE id = ${id} AND (true OR ${mayReach(caller)}) FOR UPDATE",
      specs: ["api/access-matrix"],
    },
  ]),
  ...mutantsOf({ file: "lib/resources/tasks/insert-blocker.ts", specs: [BLOCKERS] }, [
    {
      name: "any number of tasks wait for a blocker",
      find: "        AND waiting < ${WAITING_MAX}\n",
      grep: "tasks wait for one task or question",
    },
    {
      name: "a link is added under the lock of a former owner",
      find: "AND organization_id IS NOT DISTINCT FROM ${owner}::text",
      replace: "AND (true OR organization_id IS NOT DISTINCT FROM ${owner}::text)",
      grep: "waits for the lock of its new owner",
    },
    {
      name: "the search for a cycle reads any number of links",
      find: "SELECT id FROM upstream LIMIT",
      replace: "SELECT id FROM upstream WHERE leads_to IS NULL LIMIT",
      grep: "too many tasks and links",
    },
    {
      name: "a link that exists is searched for a cycle",
      find: "WHERE NOT pair.exists AND (",
      replace: "WHERE (",
      grep: "too many tasks and links",
    },
  ]),
  {
    name: "links that wait for the lock of their owner take all connections",
    file: "lib/resources/tasks/blockers.ts",
    find: "inTurns(1,",
    replace: "inTurns(100,",
    specs: ["fault/lease-turns"],
    grep: "Blockers of one owner",
  },
  ...mutantsOf({ file: "prisma/migrations/1_rules/migration.sql", specs: [BLOCKERS] }, [
    {
      name: "a task does not lock the blocker that it waits for",
      file: "prisma/migrations/20261126130000_question_blockers/migration.sql",
      find: "LIMIT 1 FOR SHARE OF link, blocker SKIP LOCKED;",
      replace: "LIMIT 1;",
      grep: "being written|ended, whatever runs|another blocker becomes done",
    },
    {
      name: "a new link does not lock its task",
      find: "PERFORM FROM tasks WHERE id = NEW.task_id FOR NO KEY UPDATE;",
      grep: "being written|ended, whatever runs|another blocker becomes done",
      reason: "The UPDATE after it locks the task before it looks for blockers.",
    },
    {
      name: "a foreign blocker counts",
      file: "prisma/migrations/20261126130000_question_blockers/migration.sql",
      find: "AND (blocker.organization_id IS NULL OR blocker.organization_id = task.organization_id)",
      grep: "another organization claims blocks nobody",
    },
    {
      name: "a claimed blocker still blocks",
      find: "    OR NEW.organization_id IS DISTINCT FROM OLD.organization_id\n  )\n  EXECUTE FUNCTION stop_waiting_for_ended",
      replace: "  )\n  EXECUTE FUNCTION stop_waiting_for_ended",
      grep: "another organization claims blocks nobody",
    },
  ]),
];

import * as z from "zod";
import { mayReach } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { inTurns } from "@/lib/platform/db/batches";
import { looksLikeId } from "@/lib/platform/db/ids";
import { lockName } from "@/lib/platform/db/name-lock";
import {
  query,
  queryOne,
  type Sql,
  sql,
  type Transaction,
  transaction,
} from "@/lib/platform/db/sql";
import { ApiError, invalidParam, quote } from "@/lib/platform/errors";
import { type Precondition, WITHOUT_TAG } from "@/lib/platform/http/conditional";
import type { List, ListQuery } from "@/lib/platform/lists/list";
import { listNewest } from "@/lib/platform/lists/newest";
import { actorOf, recordChanges } from "@/lib/resources/change";
import { isCreators } from "@/lib/resources/claim-token";
import { Question } from "@/lib/resources/questions/contract";
import { questionKind } from "@/lib/resources/questions/kind";
import { findQuestion, listQuestionsOf } from "@/lib/resources/questions/service";
import { IS_BLOCKED } from "./blocked";
import { Task } from "./contract";
import {
  BLOCKERS_MAX,
  insertBlocker,
  isQuestion,
  linksTo,
  markBlocked,
  SEARCHED_MAX,
  WAITING_MAX,
} from "./insert-blocker";
import { taskKind } from "./kind";
import { publishReady } from "./ready-topic";
import { serializeTask, TASK_COLUMNS, type TaskRow } from "./serialize";
import { findTask, list } from "./service";

/** A task or a question for which a task waits. */
export const Blocker = z.union([Task, Question]).meta({ id: "Blocker" });
export type Blocker = z.infer<typeof Blocker>;

/** The blockers of a task: tasks, then questions, each newest first. Throws 404 and 403. */
export async function listBlockers(
  caller: Caller,
  id: string,
  listQuery: ListQuery,
): Promise<List<Blocker>> {
  const { organization_id } = await findTask(caller, id);
  const ofOwner = sql`(organization_id IS NULL OR organization_id = ${organization_id})`;
  const linkedBy = (links: Sql) => [
    sql`id IN (SELECT blocker_id FROM ${links} WHERE task_id = ${id})`,
    ofOwner,
  ];
  const afterQuestion = listQuery.after !== undefined && isQuestion(listQuery.after);
  const tasks = await listNewest<TaskRow, Task>(
    {
      table: sql`tasks`,
      columns: TASK_COLUMNS,
      longTexts: ["description", "external_id"],
      conditions: linkedBy(sql`task_blockers`),
      serialize: serializeTask,
    },
    // This ID precedes those of all tasks, so none is listed after it, but all are counted.
    afterQuestion ? { ...listQuery, after: `${taskKind.prefix}_` } : listQuery,
  );
  const { after, ...rest } = listQuery;
  const left = tasks.has_more ? 0 : listQuery.limit - tasks.data.length;
  const questions = await listQuestionsOf(linkedBy(sql`task_questions`), {
    ...rest,
    ...(afterQuestion && { after }),
    limit: Math.max(left, 1),
  });
  return joined(tasks, questions, left);
}

/** A page of tasks followed by questions, of which `left` fit. */
function joined(tasks: List<Task>, questions: List<Question>, left: number): List<Blocker> {
  const data = [...tasks.data, ...questions.data.slice(0, left)];
  const has_more = tasks.has_more || questions.has_more || questions.data.length > left;
  const { total_count } = tasks;
  return {
    object: "list",
    data,
    has_more,
    next_cursor: has_more ? (data.at(-1)?.id ?? null) : null,
    ...(total_count !== undefined && { total_count: total_count + (questions.total_count ?? 0) }),
  };
}

const NAMED_MAX = 5;

/**
 * The ID of the task or question that `text` refers to: an ID, or text in the name or description of exactly
 * one open task of the caller's organization. A complete name takes precedence. Throws 400 if none
 * or several match.
 */
export async function findBlocker(caller: Caller, id: string, text: string): Promise<string> {
  const wanted = text.trim();
  if ([taskKind, questionKind].some(({ prefix }) => looksLikeId(prefix, wanted))) return wanted;
  const found = await list(caller, { q: wanted, not_label: ["done"], limit: 100 });
  const others = found.data.filter((task) => task.id !== id);
  const whole = others.filter((task) => task.name === wanted);
  const [match, another] = whole.length > 0 ? whole : others;
  if (match && !another) return match.id;
  if (!match) throw invalidParam("blocker", `No other open task has ${quote(wanted)} in its name.`);
  const names = others.slice(0, NAMED_MAX).map((task) => `${quote(task.name)} (${task.id})`);
  throw invalidParam("blocker", `Several tasks match. Paste the ID of one: ${names.join(", ")}.`);
}

/** The name of the lock under which the blockers of an owner's tasks are added. */
function lockOf(owner: string | null): string {
  return `task_blockers:${owner ?? "public"}`;
}

/**
 * Locks the blockers of public tasks if a claim token claims a task. Otherwise the new owner could close a cycle
 * with a link to it that is still being added.
 */
export async function lockBlockersOfClaimed(digest: string, db: Transaction): Promise<void> {
  const task = await queryOne(
    sql`SELECT 1 FROM tasks WHERE claim_token_digest = ${digest} LIMIT 1`,
    db,
  );
  // Claims do not wait for each other.
  if (task) await lockName(db, "blockers", lockOf(null), { shared: true });
}

/** Runs the inserts of each owner one at a time: one that waited for the lock would hold a connection. */
const inTurn = inTurns(1, "Too many blockers are being added. Try again soon.");

/**
 * Makes a task wait until another is done, or a question answered. Idempotent. Throws 404 and 403
 * for either, 400 if they have different owners, the task has too many blockers or the blocker too
 * many tasks, 409 `blocker_cycle`, and 412.
 */
export async function addBlocker(
  caller: Caller,
  id: string,
  blockerId: string,
  precondition?: Precondition,
): Promise<void> {
  const [task, blocker] = await Promise.all([
    findTask(caller, id),
    isQuestion(blockerId) ? findQuestion(caller, blockerId) : findTask(caller, blockerId),
  ]);
  if (task.organization_id !== blocker.organization_id) {
    throw invalidParam("blockerId", "Both must be public, or both belong to you.");
  }
  const byCreator = await isCreators(caller, id);
  const owner = task.organization_id;
  const lock = lockOf(owner);
  const found = await inTurn(lock, () =>
    transaction(async (db) => {
      // Two requests together could close a cycle. So each owner's blockers are added one at a time,
      // and the statement after the lock sees the earlier links.
      await lockName(db, "blockers", lock);
      const before = await insertBlocker(caller, { id, blockerId, owner, byCreator }, db);
      // A failure undoes the insert.
      if (before) precondition?.(before.exists ? WITHOUT_TAG : undefined);
      return before;
    }),
  );
  if (!found) {
    // One was deleted or claimed: throws the reason.
    await addBlocker(caller, id, blockerId, precondition);
  } else if (found.closes_cycle) {
    throw new ApiError("blocker_cycle", cycleMessage(id, blockerId), { param: "blockerId" });
  } else if (found.blockers >= BLOCKERS_MAX && !found.exists) {
    throw invalidParam("blockerId", `A task can have at most ${BLOCKERS_MAX} blockers.`);
  } else if (found.waiting >= WAITING_MAX && !found.exists) {
    throw invalidParam("blockerId", `At most ${WAITING_MAX} tasks can wait for one blocker.`);
  } else if (found.searched > SEARCHED_MAX) {
    const many = `Too many tasks block ${quote(blockerId)}, directly or through other tasks`;
    throw invalidParam("blockerId", `${many}, to rule out a cycle.`);
  }
}

/** Removes a blocker. Idempotent. Throws 404 and 403 for the task. */
export async function removeBlocker(caller: Caller, id: string, blockerId: string): Promise<void> {
  const byCreator = await isCreators(caller, id);
  const found = await queryOne(sql`
    WITH task AS (
      -- Lock the task before the link, in the order that deletion uses.
      SELECT id, organization_id FROM tasks WHERE id = ${id} AND ${mayReach(caller)} FOR NO KEY UPDATE
    ), removed AS (
      DELETE FROM ${linksTo(blockerId)} AS link USING task
      WHERE link.task_id = task.id AND link.blocker_id = ${blockerId}
      RETURNING task.id, task.organization_id
    ), recorded AS (
      ${recordChanges("tasks", "blocker_removed", sql`removed`, actorOf(caller))}
    ), marked AS (${markBlocked(sql`removed`, byCreator)})
    SELECT id, ${publishReady(sql`(SELECT organization_id FROM task)`)} FROM task`);
  if (found) return;
  await findTask(caller, id); // throws the reason
  await removeBlocker(caller, id, blockerId);
}

/** Which of these tasks are open and wait for a blocker. Leaves out tasks that the caller may not see. */
export async function listBlocked(caller: Caller, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await query<{ id: string }>(sql`
    SELECT id FROM tasks
    WHERE id = ANY (${ids}::text[]) AND ${mayReach(caller)} AND NOT labels @> '{done}'::text[]
      AND ${IS_BLOCKED}`);
  return new Set(rows.map(({ id }) => id));
}

function cycleMessage(id: string, blockerId: string): string {
  if (id === blockerId) return "A task cannot block itself.";
  return `The task already blocks ${quote(blockerId)}, directly or through other tasks.`;
}

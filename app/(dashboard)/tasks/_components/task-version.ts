import { versionTag } from "@/app/(dashboard)/_shared/version-tag";
import type { Caller } from "@/lib/platform/caller";
import { listBlocked, listBlockers } from "@/lib/resources/tasks/blockers";
import * as leases from "@/lib/resources/tasks/lease";
import { listNotes } from "@/lib/resources/tasks/notes";
import { progresses } from "@/lib/resources/tasks/progress";
import * as tasks from "@/lib/resources/tasks/service";
import { readTasks, type TaskFilters } from "./task-filters";

/** A tag that changes whenever the list or board with these filters, or the open task, does. */
export async function readVersion(
  caller: Caller,
  filters: TaskFilters,
  openId: string | undefined,
): Promise<string> {
  const board = filters.view === "board" && openId === undefined;
  const [lists, open] = await Promise.all([
    Promise.all(
      board
        ? progresses.map((progress) => readTasks(caller, filters, progress))
        : [readTasks(caller, filters)],
    ),
    openId === undefined ? null : readOpen(caller, openId),
  ]);
  const ids = lists.flatMap((list) => list.data.map(({ id }) => id));
  const [held, blocked] = await Promise.all([
    leases.listHeldLeases(caller, openId === undefined ? ids : [...ids, openId]),
    listBlocked(caller, ids),
  ]);
  return versionTag([lists, [...held], [...blocked], open]);
}

/** Null if the task no longer exists, which its page then shows. */
async function readOpen(caller: Caller, id: string) {
  try {
    return await Promise.all([
      tasks.get(caller, id),
      listBlockers(caller, id, { limit: 1, include: "total_count" }),
      listNotes(caller, id, { limit: 1, include: "total_count" }),
    ]);
  } catch {
    return null;
  }
}

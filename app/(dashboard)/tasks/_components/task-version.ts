import type { Caller } from "@/lib/platform/caller";
import { versionTag } from "@/lib/platform/http/conditional";
import { listBlocked, listBlockers } from "@/lib/resources/tasks/blockers";
import { BLOCKERS_MAX } from "@/lib/resources/tasks/insert-blocker";
import { listHeldLeases } from "@/lib/resources/tasks/lease";
import { listNotes } from "@/lib/resources/tasks/notes";
import * as tasks from "@/lib/resources/tasks/service";
import { isOverdue } from "./task-badges";
import type { TaskFilters } from "./task-filters";
import { readGroups } from "./task-groups";

/** A tag that changes whenever the list or board with these filters, or the open task, does. */
export async function readVersion(
  caller: Caller,
  filters: TaskFilters,
  openId: string | undefined,
): Promise<string> {
  const board = filters.view === "board" && openId === undefined;
  const [{ groups, leases }, open] = await Promise.all([
    readGroups(caller, filters, board),
    openId === undefined ? null : readOpen(caller, openId),
  ]);
  const listed = groups.flatMap(({ list }) => list.data);
  const blocked = await listBlocked(
    caller,
    listed.map(({ id }) => id),
  );
  // A task becomes overdue without a change.
  const overdue = [...listed, ...(open ? [open[0]] : [])].filter(isOverdue).map(({ id }) => id);
  return versionTag([groups, [...leases], [...blocked], open, overdue]);
}

/** Null if the task no longer exists, which its page then shows. */
async function readOpen(caller: Caller, id: string) {
  try {
    return await Promise.all([
      tasks.get(caller, id),
      listBlockers(caller, id, { limit: BLOCKERS_MAX }),
      listNotes(caller, id, { limit: 1, include: "total_count" }),
      listHeldLeases(caller, [id]).then((leases) => leases.get(id)),
    ]);
  } catch {
    return null;
  }
}

import { moreOf } from "@/app/(dashboard)/_shared/listing";
import { type Caller, mayWrite } from "@/lib/caller";
import type { List } from "@/lib/http/list";
import * as leases from "@/lib/tasks/lease";
import { type Progress, progresses } from "@/lib/tasks/progress";
import { moveTask } from "../actions";
import { BoardColumn } from "./board-column";
import { CardMoves } from "./card-moves";
import { hrefOf, readTasks, type TaskFilters } from "./task-filters";

/** To do, in progress, done: three lists beside each other, by label. */
export async function TaskBoard({ caller, filters }: { caller: Caller; filters: TaskFilters }) {
  const columns = await Promise.all(
    progresses.map(async (progress) => ({
      progress,
      ...(await readTasks(caller, { ...filters, progress })),
    })),
  );
  const shown = columns.flatMap(({ list }) => list.data.map(({ id }) => id));
  const held = await leases.listHeldLeases(caller, shown);
  const canMove = mayWrite(caller);
  return (
    <CardMoves>
      {columns.map(({ progress, list }) => (
        <BoardColumn
          key={progress}
          progress={progress}
          total={list.total_count ?? list.data.length}
          tasks={list.data}
          leases={held}
          hrefOf={(task) => hrefOf(`/tasks/${task.id}`, filters)}
          more={moreOfColumn(filters, progress, list)}
          move={canMove ? moveTask : undefined}
        />
      ))}
    </CardMoves>
  );
}

/** A column grows as far as a list does; the rest stands in the list. */
function moreOfColumn(filters: TaskFilters, progress: Progress, list: List<unknown>) {
  const more = moreOf(list, filters.shown);
  if (!more) return undefined;
  if (more.shown) return { href: hrefOf("/tasks", filters, more), words: "Load more" };
  const asList = { ...filters, view: "list", progress } as const;
  return { href: hrefOf("/tasks", asList), words: `All ${list.total_count} as a list` };
}

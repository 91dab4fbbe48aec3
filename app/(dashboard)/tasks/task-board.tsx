import { BoardColumn } from "@/components/tasks/board-column";
import { CardMoves } from "@/components/tasks/card-moves";
import type { Caller } from "@/lib/accounts/caller";
import { progresses } from "@/lib/tasks/progress";
import { moveTask } from "./actions";
import { hrefOf, readTasks, type TaskFilters } from "./filters";

/** To do, in progress, done: three lists beside each other, by label. */
export async function TaskBoard({ caller, filters }: { caller: Caller; filters: TaskFilters }) {
  const columns = await Promise.all(
    progresses.map(async (progress) => ({
      progress,
      ...(await readTasks(caller, { ...filters, progress })),
    })),
  );
  const asList = { ...filters, view: "list" } as const;
  const canMove = caller.kind !== "anonymous" && caller.scopes.includes("api.write");
  return (
    <CardMoves>
      {columns.map(({ progress, list }) => (
        <BoardColumn
          key={progress}
          progress={progress}
          total={list.total_count ?? 0}
          tasks={list.data}
          hrefOf={(task) => hrefOf(`/tasks/${task.id}`, asList)}
          moreHref={list.has_more ? hrefOf("/tasks", { ...asList, progress }) : undefined}
          move={canMove ? moveTask : undefined}
        />
      ))}
    </CardMoves>
  );
}

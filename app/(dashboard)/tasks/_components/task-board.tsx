import { nextRange } from "@/app/(dashboard)/_shared/listing";
import { BufferedView } from "@/components/ui/buffered-view";
import type { List } from "@/lib/platform/lists/list";
import type { Task } from "@/lib/resources/tasks/contract";
import type { TaskLease } from "@/lib/resources/tasks/lease-contract";
import { type Progress, progresses } from "@/lib/resources/tasks/progress";
import { moveTask } from "../actions";
import { BoardColumn } from "./board-column";
import { CardMoves } from "./card-moves";
import { hrefOf as listHref, type TaskFilters } from "./task-filters";

interface Props {
  lists: List<Task>[];
  filters: TaskFilters;
  leases: Map<string, TaskLease>;
  blocked: Set<string>;
  hrefOf(task: Task): string;
  hrefOfLabel(label: string): string;
  canMove: boolean;
}

/** A column each for the tasks to do, in progress and done. */
export function TaskBoard(props: Props) {
  const { lists, filters, leases, blocked, hrefOf, hrefOfLabel, canMove } = props;
  return (
    <BufferedView
      view={{
        ids: lists.flatMap(({ data }) => data.map(({ id }) => id)),
        content: (
          <CardMoves>
            {lists.map((list, index) => {
              const progress = progresses[index] ?? "todo";
              return (
                <BoardColumn
                  key={progress}
                  progress={progress}
                  total={list.total_count ?? list.data.length}
                  tasks={list.data}
                  leases={leases}
                  blocked={blocked}
                  hrefOf={hrefOf}
                  hrefOfLabel={hrefOfLabel}
                  more={moreOfColumn(filters, progress, list)}
                  move={canMove ? moveTask : undefined}
                />
              );
            })}
          </CardMoves>
        ),
      }}
    />
  );
}

/** A column grows as far as a list does, and then links to the list. */
function moreOfColumn(filters: TaskFilters, progress: Progress, list: List<Task>) {
  const next = nextRange(filters, list);
  if (!next) return undefined;
  if (next.shown) return { href: listHref("/tasks", filters, next), words: "Load more" };
  const href = listHref("/tasks", filters, { view: undefined, progress });
  return { href, words: `All ${list.total_count?.toLocaleString("en")} as a list` };
}

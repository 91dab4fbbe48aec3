import { BufferedView } from "@/components/ui/buffered-view";
import type { Task } from "@/lib/resources/tasks/contract";
import type { TaskLease } from "@/lib/resources/tasks/lease-contract";
import { moveTask } from "../actions";
import { BoardColumn } from "./board-column";
import { CardMoves } from "./card-moves";
import type { TaskFilters } from "./task-filters";
import { moreOf, type TaskGroup } from "./task-groups";

interface Props {
  groups: TaskGroup[];
  filters: TaskFilters;
  leases: Map<string, TaskLease>;
  blocked: Set<string>;
  hrefOf(task: Task): string;
  hrefOfLabel(label: string): string;
  hrefOfHolder(holder: string): string;
  canMove: boolean;
}

/** A column each for the tasks to do, in progress and done. */
export function TaskBoard(props: Props) {
  const { groups, filters, leases, blocked, hrefOf, hrefOfLabel, hrefOfHolder, canMove } = props;
  return (
    <BufferedView
      view={{
        ids: groups.flatMap(({ list }) => list.data.map(({ id }) => id)),
        content: (
          <CardMoves>
            {groups.map((group) => (
              <BoardColumn
                key={group.of.progress}
                progress={group.of.progress ?? "todo"}
                list={group.list}
                leases={leases}
                blocked={blocked}
                hrefOf={hrefOf}
                hrefOfLabel={hrefOfLabel}
                hrefOfHolder={hrefOfHolder}
                more={moreOf(filters, group)}
                move={canMove ? moveTask : undefined}
              />
            ))}
          </CardMoves>
        ),
      }}
    />
  );
}

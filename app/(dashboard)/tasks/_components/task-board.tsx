import type { ComponentProps } from "react";
import { BufferedView } from "@/components/ui/buffered-view";
import { BoardColumn } from "./board-column";
import { CardMoves } from "./card-moves";
import type { TaskGroup } from "./task-groups";

interface Props extends Omit<ComponentProps<typeof BoardColumn>, "group"> {
  groups: TaskGroup[];
}

/** A column each for the tasks to do, in progress and done. */
export function TaskBoard({ groups, ...column }: Props) {
  return (
    <BufferedView
      view={{
        ids: groups.flatMap(({ list }) => list.data.map(({ id }) => id)),
        content: (
          <CardMoves>
            {groups.map((group) => (
              <BoardColumn key={group.of.progress} group={group} {...column} />
            ))}
          </CardMoves>
        ),
      }}
    />
  );
}

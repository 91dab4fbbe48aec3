"use client";

import { createContext, useContext } from "react";
import { countOf } from "@/app/(dashboard)/_shared/listing";
import { ActionForm } from "@/components/ui/action-form";
import { Icon } from "@/components/ui/icon";
import { type Progress, progresses } from "@/lib/resources/tasks/progress";
import { moveTask } from "../actions";
import type { BoardColumn } from "./board-columns";
import { ProgressBadge, progressLabel } from "./task-badges";

const Shown = createContext<Progress>("todo");

/** A column of the board. `canMove`: its cards can be dragged. */
export function Column({ column, canMove }: { column: BoardColumn; canMove: boolean }) {
  const { progress, cards, counts, more } = column;
  return (
    <section
      aria-label={progressLabel(progress)}
      data-progress={progress}
      className="-m-2 min-w-0 rounded-md p-2 transition data-over:bg-surface data-over:outline-2 data-over:-outline-offset-2 data-over:outline-accent data-over:outline-dashed max-sm:snap-start"
    >
      <h2 className="flex items-center gap-2 border-b border-line pb-2 font-medium">
        <ProgressBadge labels={[progress]} />
        <span aria-hidden="true">{progressLabel(progress)}</span>
        <span className="text-small font-normal text-muted tabular-nums">
          {countOf({ data: [...cards], ...counts })}
        </span>
      </h2>
      <ul className="mt-2 grid min-h-16 content-start gap-2 rounded-md">
        <Shown value={progress}>
          {cards.map(({ id, content }) => (
            <li
              key={id}
              data-card={id}
              data-task={id}
              draggable={canMove}
              className="group relative min-w-0 rounded-md border border-line bg-canvas px-3 py-2 hover:border-line-strong has-aria-busy:opacity-50 data-dragged:opacity-50"
            >
              {content}
            </li>
          ))}
        </Shown>
        {cards.length === 0 && <li className="px-3 py-2 text-small text-muted">No tasks</li>}
      </ul>
      {more}
    </section>
  );
}

/** The buttons that move a card to the columns beside the one that it is shown in. */
export function Arrows({ id, name }: { id: string; name: string }) {
  const at = progresses.indexOf(useContext(Shown));
  return (
    <ActionForm
      action={moveTask}
      isSmall
      className="relative z-1 -mr-1.5 flex shrink-0"
      fields={{ id }}
    >
      <Arrow icon="left" to={progresses[at - 1]} name={name} />
      <Arrow icon="right" to={progresses[at + 1]} name={name} />
    </ActionForm>
  );
}

function Arrow(props: { icon: "left" | "right"; to: Progress | undefined; name: string }) {
  const { icon, to, name } = props;
  if (!to) return null;
  return (
    <button
      type="submit"
      name="progress"
      value={to}
      data-move={icon}
      data-announce={`${name} moved to ${progressLabel(to)}`}
      aria-label={`Move ${name} to ${progressLabel(to)}`}
      title={progressLabel(to)}
      className="rounded p-1 text-muted hover:bg-surface hover:text-ink"
    >
      <Icon name={icon} className="size-3.5" />
    </button>
  );
}

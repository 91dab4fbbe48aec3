"use client";

import { type DragEvent, type KeyboardEvent, type ReactNode, useRef } from "react";

/**
 * Makes the cards below it move: dropped on a column, or by ← and → on a card's name. It presses the
 * card's own buttons, so there is one way in which a task moves.
 */
export function CardMoves({ children }: { children: ReactNode }) {
  const dragged = useRef<HTMLElement>(null);

  const start = (event: DragEvent) => {
    dragged.current = (event.target as HTMLElement).closest<HTMLElement>("[data-card]");
    event.dataTransfer.effectAllowed = "move";
  };
  const over = (event: DragEvent) => {
    if (dragged.current && columnOf(event.target)) event.preventDefault();
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    const column = columnOf(event.target)?.dataset.progress;
    const form = dragged.current?.querySelector("form");
    dragged.current = null;
    if (
      !form ||
      !column ||
      form.closest<HTMLElement>("[data-progress]")?.dataset.progress === column
    )
      return;
    const button = document.createElement("button");
    button.name = "progress";
    button.value = column;
    button.hidden = true;
    form.append(button);
    form.requestSubmit(button);
    button.remove();
  };
  const key = (event: KeyboardEvent) => {
    const direction = { ArrowLeft: "left", ArrowRight: "right" }[event.key];
    const card = (event.target as HTMLElement).closest("[data-card]");
    const button = card?.querySelector<HTMLElement>(`[data-move="${direction}"]`);
    if (direction === undefined || !button) return;
    event.preventDefault();
    button.click();
  };

  return (
    <section
      aria-label="Board"
      onDragStart={start}
      onDragOver={over}
      onDrop={drop}
      onKeyDown={key}
      className="grid gap-x-4 gap-y-6 px-4 py-4 sm:grid-cols-3 sm:px-6"
    >
      {children}
    </section>
  );
}

function columnOf(target: EventTarget): HTMLElement | null {
  return (target as HTMLElement).closest<HTMLElement>("[data-progress]");
}

"use client";

import {
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useRef,
} from "react";
import type { Progress } from "@/lib/resources/tasks/progress";

export interface Move {
  id: string;
  name: string;
  progress: Progress;
}

/** Asks `TaskKeys` to move a card, so that the move can be undone. */
function move(card: HTMLElement, progress: string) {
  const detail: Move = {
    id: card.dataset.card ?? "",
    name: card.querySelector("[data-row]")?.textContent ?? "",
    progress: progress as Progress,
  };
  document.dispatchEvent(new CustomEvent("move-card", { detail }));
}

/** Moves cards by dragging, or by ← and → on a card's name. */
export function CardMoves({ children }: { children: ReactNode }) {
  const dragged = useRef<HTMLElement>(null);
  const over = useRef<HTMLElement>(null);
  const moved = useRef<{ id: string; focused: string }>(null);

  // The moved card is a new element in its column, so focus it.
  useEffect(() => {
    if (!moved.current || document.activeElement !== document.body) return;
    const { id, focused } = moved.current;
    const card = document.querySelector(`[data-card="${CSS.escape(id)}"]`);
    // The last column has no such button.
    const target = card?.querySelector<HTMLElement>(focused) ?? card?.querySelector("a");
    target?.focus();
    moved.current = null;
  });

  const point = (column: HTMLElement | null) => {
    const target = column === dragged.current?.closest("[data-progress]") ? null : column;
    if (target === over.current) return;
    over.current?.removeAttribute("data-over");
    target?.setAttribute("data-over", "");
    over.current = target;
  };
  const start = (event: DragEvent) => {
    dragged.current = (event.target as HTMLElement).closest<HTMLElement>("[data-card]");
    dragged.current?.setAttribute("data-dragged", "");
    event.dataTransfer.effectAllowed = "move";
    // Firefox does not drag elements without data.
    event.dataTransfer.setData("text/plain", dragged.current?.dataset.card ?? "");
  };
  const hover = (event: DragEvent) => {
    if (!dragged.current) return;
    const column = columnOf(event.target);
    if (column) event.preventDefault();
    point(column);
  };
  const end = () => {
    point(null);
    dragged.current?.removeAttribute("data-dragged");
    dragged.current = null;
  };
  const drop = (event: DragEvent) => {
    if (!dragged.current) return;
    event.preventDefault();
    const column = over.current?.dataset.progress;
    const card = dragged.current;
    end();
    if (column) move(card, column);
  };
  const key = (event: KeyboardEvent) => {
    const direction = { ArrowLeft: "left", ArrowRight: "right" }[event.key];
    const card = (event.target as HTMLElement).closest<HTMLElement>("[data-card]");
    const button = card?.querySelector<HTMLElement>(`[data-move="${direction}"]`);
    if (direction === undefined || !button) return;
    event.preventDefault();
    button.click();
    moved.current = { id: card?.dataset.card ?? "", focused: "[data-row]" };
  };
  const click = (event: MouseEvent) => {
    const button = (event.target as HTMLElement).closest<HTMLButtonElement>("[data-move]");
    const card = button?.closest<HTMLElement>("[data-card]");
    if (!button || !card) return;
    // Without scripts its form moves the card.
    event.preventDefault();
    moved.current = { id: card.dataset.card ?? "", focused: `[data-move=${button.dataset.move}]` };
    move(card, button.value);
  };

  return (
    <section
      aria-label="Board"
      onDragStart={start}
      onDragOver={hover}
      onDragEnd={end}
      onDrop={drop}
      onKeyDown={key}
      onClick={click}
      className="relative grid gap-x-6 px-4 py-4 max-sm:snap-x max-sm:scroll-px-2 max-sm:auto-cols-[88%] max-sm:grid-flow-col max-sm:overflow-x-auto max-sm:overscroll-x-contain sm:grid-cols-3 sm:px-6"
    >
      {children}
    </section>
  );
}

function columnOf(target: EventTarget): HTMLElement | null {
  return (target as HTMLElement).closest<HTMLElement>("[data-progress]");
}

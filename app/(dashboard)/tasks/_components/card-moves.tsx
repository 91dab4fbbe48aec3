"use client";

import {
  type DragEvent,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  startTransition,
  useEffect,
  useOptimistic,
  useRef,
} from "react";
import { isProgress } from "@/lib/resources/tasks/progress";
import type { Order } from "@/lib/resources/tasks/sort-cursor";
import { Column } from "./board-column";
import { type BoardColumn, type Move, withMoves } from "./board-columns";

/** A move for `TaskKeys` to make, so that it can be undone. */
export interface CardMove extends Move {
  name: string;
  /** Ends when the move is saved or refused; set by `TaskKeys`. */
  saved?: Promise<void>;
}

interface Props {
  columns: readonly BoardColumn[];
  sort: Order | undefined;
  canMove: boolean;
}

const NONE: readonly Move[] = [];

/**
 * The columns of the board, whose cards move by dragging, or by ← and → on a card's name. A card is shown
 * in its new column at once, and comes back if the server refuses.
 */
export function CardMoves({ columns, sort, canMove }: Props) {
  const dragged = useRef<HTMLElement>(null);
  const over = useRef<HTMLElement>(null);
  /** The column that the dragged card was dropped on. */
  const dropped = useRef<string>(undefined);
  /** The card that has the focus, and what of it. */
  const focused = useRef<{ id: string; part: string }>(null);
  const [moves, show] = useOptimistic<readonly Move[], Move>(NONE, (others, one) => [
    ...others,
    one,
  ]);

  // A moved card is a new element in its column, also when it comes back or its move is undone, so focus it.
  useEffect(() => {
    if (!focused.current || document.activeElement !== document.body) return;
    const { id, part } = focused.current;
    const card = document.querySelector(`[data-card="${CSS.escape(id)}"]`);
    // The last column has no such button.
    const target = card?.querySelector<HTMLElement>(part) ?? card?.querySelector("a");
    target?.focus();
  });

  const move = (card: HTMLElement, progress: string | undefined) => {
    const { card: id = "" } = card.dataset;
    if (!isProgress(progress)) return;
    const name = card.querySelector("[data-row]")?.textContent ?? "";
    const detail: CardMove = { id, name, progress };
    document.dispatchEvent(new CustomEvent("move-card", { detail }));
    startTransition(async () => {
      show({ id, progress });
      await detail.saved;
    });
  };
  const point = (column: HTMLElement | null) => {
    const target = column === dragged.current?.closest("[data-progress]") ? null : column;
    if (target === over.current) return;
    over.current?.removeAttribute("data-over");
    target?.setAttribute("data-over", "");
    over.current = target;
  };
  const drag = (event: DragEvent) => {
    dragged.current = (event.target as HTMLElement).closest<HTMLElement>("[data-card]");
    dragged.current?.setAttribute("data-dragged", "");
    dropped.current = undefined;
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
  // Comes after the drop. The card must stay in the page until then, or this event would not arrive.
  const end = () => {
    const [card, column] = [dragged.current, dropped.current];
    point(null);
    card?.removeAttribute("data-dragged");
    dragged.current = null;
    dropped.current = undefined;
    if (card) move(card, column);
  };
  const drop = (event: DragEvent) => {
    if (!dragged.current) return;
    event.preventDefault();
    dropped.current = over.current?.dataset.progress;
    // An earlier move of the card has been refused.
    if (!dragged.current.isConnected) end();
  };
  const key = (event: KeyboardEvent) => {
    const direction = { ArrowLeft: "left", ArrowRight: "right" }[event.key];
    const card = (event.target as HTMLElement).closest<HTMLElement>("[data-card]");
    const button = card?.querySelector<HTMLElement>(`[data-move="${direction}"]`);
    if (direction === undefined || !button) return;
    event.preventDefault();
    button.click();
  };
  const click = (event: MouseEvent) => {
    const button = (event.target as HTMLElement).closest<HTMLButtonElement>("[data-move]");
    const card = button?.closest<HTMLElement>("[data-card]");
    // The second click of a double-click is on the card that took the place of the moved one.
    if (!button || !card || event.defaultPrevented) return;
    // Without scripts its form moves the card.
    event.preventDefault();
    move(card, button.value);
  };
  const focus = ({ target }: FocusEvent<HTMLElement>) => {
    const id = target.closest<HTMLElement>("[data-card]")?.dataset.card;
    const { move } = target.dataset;
    const part = move === undefined ? "[data-row]" : `[data-move=${move}]`;
    focused.current = id === undefined ? null : { id, part };
  };

  return (
    <section
      aria-label="Board"
      onDragStart={drag}
      onDragOver={hover}
      onDragEnd={end}
      onDrop={drop}
      onKeyDown={key}
      onClick={click}
      onFocus={focus}
      onBlur={() => {
        focused.current = null;
      }}
      className="relative grid gap-x-6 px-4 py-4 max-sm:snap-x max-sm:scroll-px-2 max-sm:auto-cols-[88%] max-sm:grid-flow-col max-sm:overflow-x-auto max-sm:overscroll-x-contain sm:grid-cols-3 sm:px-6"
    >
      {withMoves(columns, moves, sort).map((column) => (
        <Column key={column.progress} column={column} canMove={canMove} />
      ))}
    </section>
  );
}

function columnOf(target: EventTarget): HTMLElement | null {
  return (target as HTMLElement).closest<HTMLElement>("[data-progress]");
}

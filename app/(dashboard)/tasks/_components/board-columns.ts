import type { ReactNode } from "react";
import type { List } from "@/lib/platform/lists/list";
import type { Progress } from "@/lib/resources/tasks/progress";
import type { Order } from "@/lib/resources/tasks/sort-cursor";

interface BoardCard {
  id: string;
  /** What the order of the list compares before the IDs. */
  place: readonly number[];
  content: ReactNode;
}

export interface BoardColumn {
  progress: Progress;
  cards: readonly BoardCard[];
  /** How many tasks there are, and whether these are more than the cards. */
  counts: Pick<List<unknown>, "has_more" | "total_count">;
  /** The link to the tasks that are not shown. */
  more: ReactNode;
}

/** A card and its new column. */
export interface Move {
  id: string;
  progress: Progress;
}

/** Takes the columns of a board and moves of their cards. Returns the columns after these moves. */
export function withMoves(
  columns: readonly BoardColumn[],
  moves: readonly Move[],
  sort: Order | undefined,
): readonly BoardColumn[] {
  return moves.reduce((before, move) => withMove(before, move, sort), columns);
}

function withMove(columns: readonly BoardColumn[], move: Move, sort: Order | undefined) {
  const card = columns.flatMap(({ cards }) => cards).find(({ id }) => id === move.id);
  if (!card) return columns;
  return columns.map((column): BoardColumn => {
    const cards = column.cards.filter((one) => one !== card);
    if (column.progress === move.progress) {
      const next = cards.findIndex((other) => precedes(card, other, sort));
      cards.splice(next === -1 ? cards.length : next, 0, card);
    }
    const { total_count: total } = column.counts;
    const added = cards.length - column.cards.length;
    const counts = total === undefined ? {} : { total_count: total + added };
    return { ...column, cards, counts: { ...column.counts, ...counts } };
  });
}

/** Whether a card that has just changed comes before another one, as the server will order them. */
function precedes(card: BoardCard, other: BoardCard, sort: Order | undefined): boolean {
  if (sort === "updated") return true;
  const at = card.place.findIndex((value, index) => value !== other.place[index]);
  if (at !== -1) return (card.place[at] ?? 0) < (other.place[at] ?? 0);
  return sort === undefined ? card.id > other.id : card.id < other.id;
}

import { priorities, type Task } from "./contract";

export const orders = ["due", "priority", "updated"] as const;

/** An order of tasks besides the newest first. */
export type Order = (typeof orders)[number];

/** Where a sorted list continues. */
export type Position =
  | { order: "due" | "priority"; id: string; priority: Task["priority"]; due: number | null }
  | {
      order: "updated";
      /** The last task among those changed after their creation. */
      changed: { id: string; at: number } | undefined;
      /** The last of the others. */
      created: string | undefined;
    };

/** The columns that a cursor is made of. */
export interface SortedRow {
  id: string;
  priority: Task["priority"];
  due_at: number | null;
  updated_at: number;
  is_changed: boolean;
}

/** The cursor after these rows of a page that started at `before`. */
export function cursorOf(
  order: Order,
  rows: readonly SortedRow[],
  before: Position | undefined,
): string | null {
  const last = rows.at(-1);
  if (!last) return null;
  if (order !== "updated")
    return [last.id, order, rankOf(last.priority), last.due_at ?? ""].join(".");
  const from = before?.order === "updated" ? before : undefined;
  const row = rows.findLast((one) => one.is_changed);
  const changed = row ? { id: row.id, at: row.updated_at } : from?.changed;
  const created = rows.findLast((one) => !one.is_changed)?.id ?? from?.created;
  return [changed?.id ?? "tsk_0", order, changed?.at ?? "", created ?? ""].join(".");
}

/** The position of a cursor; undefined if it does not belong to this order. */
export function positionOf(order: Order, cursor: string | undefined): Position | undefined {
  const [id = "", of, third = "", fourth = "", ...rest] = cursor?.split(".") ?? [];
  if (of !== order || rest.length > 0 || !isId(id)) return undefined;
  if (order === "updated") {
    const at = numberIn(third);
    if (fourth !== "" && !isId(fourth)) return undefined;
    return {
      order,
      changed: at === undefined ? undefined : { id, at },
      created: fourth === "" ? undefined : fourth,
    };
  }
  const priority = priorities.find((one) => `${rankOf(one)}` === third);
  const due = fourth === "" ? null : numberIn(fourth);
  if (priority === undefined || due === undefined) return undefined;
  return { order, id, priority, due };
}

/** The place of a priority in the order: 1 for the most urgent. */
export function rankOf(priority: Task["priority"]): number {
  return priorities.length - priorities.indexOf(priority);
}

function isId(text: string): boolean {
  return /^tsk_[0-9A-Za-z]+$/.test(text);
}

function numberIn(text: string): number | undefined {
  const number = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

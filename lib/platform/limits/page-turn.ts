import { AsyncLocalStorage } from "node:async_hooks";
import { oncePerProcess } from "@/lib/platform/process";
import type { Entered } from "./gate";

export interface PageTurn extends Entered {
  /** Aborts when the page's visitor leaves. */
  signal: AbortSignal;
}

/**
 * Set while a page is rendered or a form runs in a turn (server/page-turns.ts), which bounds how many
 * do.
 */
export const pageTurn = oncePerProcess("limits.page-turn", () => new AsyncLocalStorage<PageTurn>());

/** Runs work that only waits. Meanwhile another network may use its turn, if it has one. */
export function aside<T>(work: () => Promise<T>): Promise<T> {
  const turn = pageTurn.getStore();
  return turn ? turn.aside(work) : work();
}

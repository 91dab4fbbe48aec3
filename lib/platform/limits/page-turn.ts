import { AsyncLocalStorage } from "node:async_hooks";
import { oncePerProcess } from "@/lib/platform/process";
import type { Entered } from "./gate";

export interface PageTurn extends Entered {
  /** Aborts when the page's visitor leaves. */
  signal: AbortSignal;
  /** Whether our code has started. Until then, Next is reading the form. */
  hasBegun: boolean;
}

/**
 * Set while a page is rendered or a form runs in a turn (server/page-turns.ts), which bounds how many
 * do.
 */
export const pageTurn = oncePerProcess("limits.page-turn", () => new AsyncLocalStorage<PageTurn>());

/** Notes that our code has started, so that any later failure is ours. */
export function beginPage(): void {
  const turn = pageTurn.getStore();
  if (turn) turn.hasBegun = true;
}

/** Whether a failure of this request means that Next could not read what was sent as a form. */
export function isUnreadForm(turn: PageTurn | undefined, headers: FormHeaders): boolean {
  const { "next-action": action, "content-type": type } = headers;
  const isForm = action !== undefined || String(type).startsWith("multipart/form-data");
  return isForm && turn?.hasBegun === false;
}

type FormHeaders = Record<string, string | string[] | undefined>;

/** Runs work that only waits. Until it ends, another network may use the page's turn, if there is one. */
export function aside<T>(work: () => Promise<T>): Promise<T> {
  const turn = pageTurn.getStore();
  return turn ? turn.aside(work) : work();
}

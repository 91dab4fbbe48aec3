import { AsyncLocalStorage } from "node:async_hooks";
import { oncePerProcess } from "@/lib/platform/process";

/**
 * Set while a page is rendered or a form runs in a turn (server/page-turns.ts), which bounds how many
 * do: aborts when its visitor leaves.
 */
export const pageTurn = oncePerProcess(
  "limits.page-turn",
  () => new AsyncLocalStorage<AbortSignal>(),
);

import { AsyncLocalStorage } from "node:async_hooks";
import type { HttpResponse } from "@/lib/platform/http/response";
import { oncePerProcess } from "@/lib/platform/process";

/**
 * Counts a response in memory until it has been read, and returns the one to send. Throws 429 or 503 if
 * too much is unread (server/response-memory.ts).
 */
type Hold = (result: HttpResponse) => HttpResponse;

/** Set while Next serves a request that our own server received. */
export const responseHold = oncePerProcess(
  "limits.response-hold",
  () => new AsyncLocalStorage<Hold>(),
);

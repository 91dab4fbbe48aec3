import { AsyncLocalStorage } from "node:async_hooks";
import { oncePerProcess } from "@/lib/platform/process";

/** The origin that the current request was sent to, if it differs from the configured one. */
export const requestedOrigin = oncePerProcess(
  "config.requested-origin",
  () => new AsyncLocalStorage<string>(),
);

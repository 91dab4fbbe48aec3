import { AsyncLocalStorage } from "node:async_hooks";
import { oncePerProcess } from "@/lib/platform/process";

/** The own origin that the request under way was sent to, where it is not that of the configuration. */
export function requestedOrigin(): AsyncLocalStorage<string> {
  return oncePerProcess("config.requested-origin", () => new AsyncLocalStorage<string>());
}

import { isLoopback } from "@/lib/platform/addresses";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";

/**
 * In local mode, marks a caller whose request comes from a web page outside loopback. Browsers send
 * `Origin` with every write, even from a page that rebound its DNS name to this machine. The string
 * "null" is a hidden origin.
 */
export function markForeignPage(
  caller: Caller,
  origin: string | null,
  by: "request" | "form" = "request",
): Caller {
  if (origin === null || !config().localMode) return caller;
  if (URL.canParse(origin) && isLoopback(new URL(origin).hostname)) return caller;
  return { ...caller, foreignPage: by };
}

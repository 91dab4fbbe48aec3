import type { Caller } from "@/lib/caller";
import { config, isLoopback } from "@/lib/config/config";

/**
 * The caller of a request with this `Origin`, marked when in local mode it comes from a web page that
 * is not on a loopback host. Browsers send the header with every request that changes something, also
 * from a page that has rebound its own name to this machine; `null` stands for a hidden origin.
 */
export function sentFrom(
  caller: Caller,
  origin: string | null,
  by: "request" | "form" = "request",
): Caller {
  if (origin === null || !config().localMode) return caller;
  if (URL.canParse(origin) && isLoopback(new URL(origin).hostname)) return caller;
  return { ...caller, foreignPage: by };
}

import type { Caller } from "@/lib/platform/caller";
import type { Commit } from "@/lib/platform/db/commit";
import type { Wait } from "@/lib/platform/limits/connection-slots";
import type { Precondition } from "./conditional";
import type { HttpRequest, JsonBody } from "./request";

/** A request before validation. */
export interface Inbound {
  request: HttpRequest;
  caller: Caller;
  params: Record<string, string>;
  search: string;
  /** The body, if it has been read already. */
  json?: JsonBody | undefined;
  precondition: Precondition | undefined;
  /** The result of the operation's `prefetch`, if it was called. */
  prefetched?: Promise<unknown>;
  /**
   * Receives the rate limit headers of requests that the operation counts itself, as a batch does.
   */
  onCounted?: ((limits: Record<string, string>) => void) | undefined;
}

/** A valid request to an operation. */
export interface Accepted {
  body: Record<string, unknown> | null;
  /** Undefined for requests that do not wait. */
  wait: Wait | undefined;
  /** Whether it takes a turn at the search gate. */
  isSearch: boolean;
  /** The size of the texts that it adds to a resource, in bytes. */
  textBytes: number;
  /** Runs the work, which makes its writes through `commit`, or returns the insertion to run. */
  run(commit?: Commit): unknown;
}

/** The size of these texts in UTF-8. */
export function bytesOf(texts: readonly (string | null | undefined)[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ""), 0);
}

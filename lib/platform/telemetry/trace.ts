import { oncePerProcess } from "@/lib/platform/process";

/** A span. Requests sent within it carry its `traceparent` (W3C Trace Context). */
export interface Span {
  traceparent: string;
  /** `status` is the response's; null if there was no response. */
  end(status: number | null): void;
}

interface SpanStart {
  /** A template without IDs. */
  name: string;
  kind: "server" | "client";
  /** The `traceparent` of the parent span. */
  parent: string | undefined;
  attributes: Record<string, string>;
}

export type StartSpan = (start: SpanStart) => Span;

const tracing = oncePerProcess("tracing", (): { start?: StartSpan } => ({}));

/** Starts the span that `describe` returns; undefined while traces are not exported. */
export function startSpan(describe: () => SpanStart): Span | undefined {
  return tracing.start?.(describe());
}

/**
 * Starts the span of a request for a route, within the client's span of the header `traceparent`. The
 * `traceparent` that is returned is the client's while traces are not exported.
 */
export function startRequest(method: string, route: string | null, header: string | null) {
  const parent = parseTraceparent(header);
  const span = startSpan(() => ({
    name: `${method} ${route ?? "unknown path"}`,
    kind: "server",
    parent,
    attributes: { "http.request.method": method, ...(route && { "http.route": route }) },
  }));
  return { span, traceparent: span?.traceparent ?? parent };
}

export function adoptTracer(start: StartSpan): void {
  tracing.start = start;
}

/** The value of a valid `traceparent` header; undefined for others, as the standard says. */
export function parseTraceparent(header: string | null): string | undefined {
  const parts = header === null ? null : TRACEPARENT.exec(header);
  return parts ? `00-${parts[1]}` : undefined;
}

// A later version may have more fields; version 00 may not.
const TRACEPARENT =
  /^(?!ff)(?:00(?=.{53}$)|(?!00)[0-9a-f]{2})-((?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(?:-.*)?$/;

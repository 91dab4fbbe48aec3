import { STREAM_MS_MAX } from "@/lib/platform/limits/connection-slots";
import { stopping } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";
import type { Wait } from "@/lib/platform/wakeups/pubsub";
import { toApiError } from "./error-envelope";

const RETRY_MS = 1000;
const HEARTBEAT_MS = 15_000;

/**
 * Server-sent events, read only on demand. `read` waits for the next messages and returns their
 * text, which is never empty. If it throws, the stream ends; the client reconnects and gets the
 * error. The ID `start` is sent first, so that a client that received no message can resume from
 * it; or, where messages have no IDs, the text `first`, and `last` at the end.
 */
export function eventStream(
  start: string | { first: string; last: string },
  callerSignal: AbortSignal,
  read: (wait: Wait) => Promise<string>,
): ReadableStream<Uint8Array> {
  const cancelled = new AbortController();
  const signal = AbortSignal.any([callerSignal, cancelled.signal]);
  const end = performance.now() + STREAM_MS_MAX;
  const encoder = new TextEncoder();
  let hasStarted = false;
  const { first, last } =
    typeof start === "string" ? { first: `retry: ${RETRY_MS}\nid: ${start}\n\n`, last: "" } : start;
  const close = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (cancelled.signal.aborted) return;
    if (last !== "" && !callerSignal.aborted) controller.enqueue(encoder.encode(last));
    controller.close();
  };

  return new ReadableStream(
    {
      async pull(controller) {
        if (!hasStarted) {
          hasStarted = true;
          controller.enqueue(encoder.encode(first));
          return;
        }
        try {
          const milliseconds = Math.min(HEARTBEAT_MS, end - performance.now());
          const messages = await read({ milliseconds, signal });
          if (!signal.aborted) controller.enqueue(encoder.encode(messages));
          const over = callerSignal.aborted || stopping.signal.aborted || performance.now() >= end;
          if (over) close(controller);
        } catch (error) {
          // The client gets the error when it reconnects, unless it is gone by then.
          const isExpected = signal.aborted || toApiError(error).status !== 500;
          if (!isExpected) logError("An event stream broke off:", error);
          close(controller);
        }
      },
      cancel() {
        cancelled.abort();
      },
    },
    { highWaterMark: 0 },
  );
}

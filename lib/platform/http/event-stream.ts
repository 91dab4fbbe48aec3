import { STREAM_MS_MAX } from "@/lib/platform/limits/connection-slots";
import { stopping } from "@/lib/platform/process";

const RETRY_MS = 1000;
const HEARTBEAT_MS = 15_000;

/** How long to wait for messages, and what ends the wait early. */
interface Wait {
  milliseconds: number;
  signal: AbortSignal;
}

/**
 * Server-sent events, read only on demand. `read` waits for the next messages and returns their
 * text, which is never empty. If it throws, the stream ends; the client reconnects and gets the
 * error. The ID `start` is sent first, so that a client that received no message can resume from
 * it.
 */
export function eventStream(
  start: string,
  callerSignal: AbortSignal,
  read: (wait: Wait) => Promise<string>,
): ReadableStream<Uint8Array> {
  const cancelled = new AbortController();
  const signal = AbortSignal.any([callerSignal, cancelled.signal]);
  const end = performance.now() + STREAM_MS_MAX;
  const encoder = new TextEncoder();
  let hasStarted = false;

  return new ReadableStream(
    {
      async pull(controller) {
        if (!hasStarted) {
          hasStarted = true;
          controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\nid: ${start}\n\n`));
          return;
        }
        try {
          const milliseconds = Math.min(HEARTBEAT_MS, end - performance.now());
          const messages = await read({ milliseconds, signal });
          if (!signal.aborted) controller.enqueue(encoder.encode(messages));
          const over =
            callerSignal.aborted || stopping().signal.aborted || performance.now() >= end;
          if (over && !cancelled.signal.aborted) controller.close();
        } catch {
          if (!cancelled.signal.aborted) controller.close();
        }
      },
      cancel() {
        cancelled.abort();
      },
    },
    { highWaterMark: 0 },
  );
}

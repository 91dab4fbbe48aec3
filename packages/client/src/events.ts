import { createParser } from "eventsource-parser";
import { ApiError, ConnectionError, isRetryable } from "./api-error.js";
import { type Calls, type Connection, pathSegment } from "./connection.js";
import { checkOptions } from "./options.js";
import { pause } from "./pause.js";
import type { WebhookEvent } from "./schema.js";
import { backoffMs, follow } from "./send.js";

export interface EventOptions {
  /** The ID of the last event you have seen; `wev_0` starts at the oldest. Default: now. */
  since?: string | undefined;
  /** Only events with this HTTP method. */
  method?: string | undefined;
  /** Only events with this text in their body, path or query string. */
  q?: string | undefined;
  /** Only events with this text in a header, or with `name: text`. */
  header?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Called when the stream has broken and before the next attempt. */
  onBreak?: ((error: Error) => void) | undefined;
}

const OPTIONS = ["since", "method", "q", "header", "signal", "onBreak"];
/** The server sends at least a comment every 15 seconds. */
const SILENCE_MS_MAX = 40_000;
/** A connection that lasted this long counts as a success. */
const LASTING_MS = 10_000;
/**
 * The length limit of one event: a megabyte of body, twice, in JSON's longest escapes, with a
 * margin.
 */
const EVENT_LENGTH_MAX = 64 * 1024 * 1024;

/**
 * Yields the events of an endpoint, each once and in order, over as many connections as it takes.
 */
export async function* streamEvents(
  connection: Connection,
  endpointId: string,
  options: EventOptions = {},
): AsyncGenerator<WebhookEvent, void, undefined> {
  checkOptions(options, OPTIONS);
  const { signal, onBreak } = options;
  try {
    // Read before the first connection, so that a break of that connection loses nothing either.
    let position = options.since ?? (await newestEvent(connection.calls, endpointId, signal));
    let connected = false;
    let breaks = 0;
    for (;;) {
      const openedAt = performance.now();
      const { controller, release } = follow(signal);
      try {
        const path = streamPath(endpointId, position, options);
        const bytes = await connection.open(path, controller.signal, connected ? 0 : undefined);
        connected = true;
        for await (const event of eventsOf(bytes)) {
          if (signal?.aborted) return;
          breaks = 0;
          position = event.id;
          yield event;
        }
      } catch (error) {
        if (signal?.aborted || !connected || !isRetryable(error)) throw error;
        onBreak?.(error);
        if (error instanceof ApiError && error.retryAfter !== null) {
          await pause(Math.min(error.retryAfter, 60) * 1000, signal);
        }
      } finally {
        release();
        controller.abort();
      }
      if (performance.now() - openedAt > LASTING_MS) breaks = 0;
      await pause(backoffMs(breaks++), signal);
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}

function streamPath(endpointId: string, since: string, options: EventOptions): string {
  const query = new URLSearchParams({ since });
  for (const name of ["method", "q", "header"] as const) {
    if (options[name] !== undefined) query.set(name, options[name]);
  }
  return `/api/webhooks/${pathSegment("id", endpointId)}/events/stream?${query}`;
}

/** The ID of an endpoint's newest event; one that sorts before all if it has none. */
export async function newestEvent(
  calls: Pick<Calls, "GET">,
  id: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { data } = await calls.GET("/api/webhooks/{id}/events", {
    params: { path: { id }, query: { limit: 1 } },
    signal,
  });
  return data.data[0]?.id ?? "wev_0";
}

/** The events of one connection. Returns when the server ends it, and throws when it breaks. */
async function* eventsOf(
  bytes: ReadableStream<Uint8Array>,
): AsyncGenerator<WebhookEvent, void, undefined> {
  const events: WebhookEvent[] = [];
  const parser = createParser({
    maxBufferSize: EVENT_LENGTH_MAX,
    onEvent: ({ data }) => events.push(JSON.parse(data)),
    onError(error) {
      if (error.type === "max-buffer-size-exceeded") throw error;
    },
  });
  const decoder = new TextDecoder();
  const reader = bytes.getReader();
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader.read());
      if (done) return;
      try {
        parser.feed(decoder.decode(value, { stream: true }));
      } catch (error) {
        // It would break again at the same event.
        throw new ApiError(`The stream of events cannot be read: ${error}`, { status: 200 });
      }
      yield* events.splice(0);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function withinSilence<Value>(reading: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The stream fell silent.")), SILENCE_MS_MAX);
  });
  try {
    return await Promise.race([reading, silence]);
  } catch (cause) {
    throw new ConnectionError("The stream of events broke.", { cause });
  } finally {
    clearTimeout(timer);
  }
}

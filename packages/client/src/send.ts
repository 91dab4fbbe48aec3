import {
  ApiError,
  apiErrorOf,
  ConnectionError,
  isInProgress,
  isRefused,
  isRetryable,
} from "./api-error.js";
import { pause, TIMER_MS_MAX } from "./pause.js";

/** A request that can be retried. */
export interface Outgoing {
  url: string;
  method: string;
  headers: Headers;
  body?: Uint8Array<ArrayBuffer> | undefined;
  /** Sending it twice has the same effect as once. */
  repeatable: boolean;
  /** The caller reads the body of the response, without a time limit. */
  streamed?: boolean;
}

export interface SendOptions {
  fetch: typeof fetch;
  maxRetries: number;
  /** The time limit of one attempt, including the body of the response. */
  timeoutMs: number;
  /** How long an attempt whose response was lost may still run; `timeoutMs` by default. */
  patienceMs?: number;
  signal?: AbortSignal | undefined;
}

/** A longer `Retry-After` is thrown, not waited for. A limit by the minute asks for no more. */
const RETRY_AFTER_SECONDS_MAX = 120;
const RESPONSE_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Sends a request, retrying if that is safe, and returns a successful response. Throws `ApiError`,
 * `ConnectionError` or the signal's reason.
 */
export async function send(request: Outgoing, options: SendOptions): Promise<Response> {
  const deadline = performance.now() + (options.patienceMs ?? options.timeoutMs);
  let retries = 0;
  for (;;) {
    try {
      return await attempt(request, options);
    } catch (error) {
      const mayRepeat = isRefused(error) || (request.repeatable && isRetryable(error));
      if (!mayRepeat) throw error;
      const asked = error instanceof ApiError ? error.retryAfter : null;
      if (asked !== null && asked > RETRY_AFTER_SECONDS_MAX) throw error;
      // The first attempt, whose response was lost, is still running, which is not a failure.
      const stillRuns = isInProgress(error) && performance.now() < deadline;
      if (!stillRuns && ++retries > options.maxRetries) throw error;
      await pause(retryMs(error, retries), options.signal);
    }
  }
}

/** 0.25 s after the first failure, doubled with each up to 8 s, minus up to a half at random. */
export function backoffMs(failures: number): number {
  const longest = Math.min(250 * 2 ** failures, 8000);
  return longest * (0.5 + Math.random() / 2);
}

/** How long to wait after these failures: at least as long as the service asks. */
export function retryMs(error: unknown, failures: number): number {
  const asked = error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
  return Math.max(asked * 1000, backoffMs(failures));
}

async function attempt(request: Outgoing, options: SendOptions): Promise<Response> {
  const { fetch, signal, timeoutMs } = options;
  signal?.throwIfAborted();
  const { controller, release } = follow(signal);
  const timer = setTimeout(
    () => controller.abort(new Error(`No response within ${timeoutMs} ms.`)),
    Math.min(timeoutMs, TIMER_MS_MAX),
  );
  let handedOver = false;
  try {
    const { url, method, headers, body } = request;
    const response = await fetch(url, {
      method,
      headers,
      ...(body && { body }),
      // Following a redirect could send the key and the body to another host.
      redirect: "manual",
      signal: controller.signal,
    });
    if (response.ok && request.streamed && response.body) {
      handedOver = true;
      return new Response(untilRead(response.body, release), response);
    }
    const bytes = await readAll(response);
    if (!response.ok) throw apiErrorOf(response, new TextDecoder().decode(bytes));
    return new Response(bytes.length > 0 ? bytes : null, response);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof ApiError) throw cause;
    const reason = controller.signal.aborted ? controller.signal.reason : cause;
    throw new ConnectionError(`${new URL(request.url).origin}: ${reasonOf(reason)}`, {
      cause: reason,
    });
  } finally {
    clearTimeout(timer);
    if (!handedOver) release();
  }
}

/** A controller that follows a signal until `release`, so that many can follow a long-lived one. */
export function follow(signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  if (signal?.aborted) stop();
  // Node warns of more than ten listeners, as if they were forgotten.
  if (signal) globalThis.process?.getBuiltinModule?.("node:events").setMaxListeners(0, signal);
  signal?.addEventListener("abort", stop, { once: true });
  return { controller, release: () => signal?.removeEventListener("abort", stop) };
}

/** The body, which calls `release` once it is read to the end, cancelled or broken. */
function untilRead(body: ReadableStream<Uint8Array>, release: () => void) {
  const reader = body.getReader();
  void reader.closed.then(release, release);
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}

async function readAll(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > RESPONSE_BYTES_MAX) {
      throw new ApiError(`The response has more than ${RESPONSE_BYTES_MAX} bytes.`, {
        status: response.status,
      });
    }
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** `fetch` hides the reason in the cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  return cause.message || code || error.message;
}

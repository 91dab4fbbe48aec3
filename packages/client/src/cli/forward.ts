import http from "node:http";
import https from "node:https";
import { pause } from "../pause.js";
import { rawBody } from "../raw-body.js";
import type { WebhookEvent } from "../schema.js";
import { messageOf } from "./failure.js";
import { timerMs } from "./option-values.js";
import type { Output } from "./output.js";
import { printable } from "./printable.js";
import { leavesPath, pathAt } from "./target.js";

export interface Outcome {
  /** Null when the target did not respond. */
  status: number | null;
  error: string | null;
  duration_ms: number;
}

interface Forwarding {
  /** Seconds to wait for the response. */
  timeout: number;
  /** Notes when the target becomes unreachable and when it can be reached again. */
  output: Output;
  /** Ends the wait for an unreachable target. A request already sent runs to its end. */
  signal: AbortSignal;
}

const RETRY_MS_MIN = 250;
const RETRY_MS_MAX = 5000;

/**
 * Sends an event to the target with its method, path, query, headers and bytes. Until a connection
 * is made nothing has been sent, so it retries. Anything later counts as forwarded: the target may
 * have acted on it. Undefined if `signal` ended the wait.
 */
export async function forward(
  event: WebhookEvent,
  target: URL,
  { timeout, output, signal }: Forwarding,
): Promise<Outcome | undefined> {
  for (let delay = RETRY_MS_MIN; ; delay = Math.min(2 * delay, RETRY_MS_MAX)) {
    const attempt = await forwardOnce(event, target, timeout);
    if (attempt.connected) {
      if (delay > RETRY_MS_MIN) output.note(`${target.origin} can be reached again.`);
      return attempt;
    }
    if (delay === RETRY_MS_MIN) {
      const reason = printable(attempt.error ?? "");
      output.note(`Cannot reach ${target.origin}: ${reason}. Trying again…`);
    }
    await pause(delay, signal).catch(() => {});
    if (signal.aborted) return undefined;
  }
}

/** Like `forward`, but does not wait for an unreachable target. */
export async function forwardOnce(
  event: WebhookEvent,
  target: URL,
  timeout: number,
): Promise<Attempt> {
  const error = refusalOf(event, target);
  if (error === undefined) return send(event, target, timerMs(timeout));
  return { connected: true, status: null, error, duration_ms: 0 };
}

/** What was forwarded, and how it ended, for `--json`. */
export function forwardedEvent(event: WebhookEvent, target: URL, outcome: Outcome) {
  const { id: event_id, method, path, query_string } = event;
  const forwarded = { event_id, method, path: pathAt(target, path, query_string) };
  return { object: "forwarded_event", ...forwarded, ...outcome };
}

/** A line about an event for people: with its path below the capture URL, and what came of it or its size. */
export function eventLine(
  output: Output,
  event: WebhookEvent,
  { time, result }: { time: string; result?: string },
): string {
  const { id, method, path, query_string, size_bytes, verified } = event;
  return [
    output.style("dim", time),
    printable(method).padEnd(6),
    printable(pathAt(new URL("http://localhost"), path, query_string)),
    result ?? `${size_bytes} bytes`,
    ...(verified === false ? [output.style("red", "not verified")] : []),
    output.style("dim", printable(id)),
  ].join("  ");
}

interface Attempt extends Outcome {
  /** Whether another try would be a second delivery, or fail in the same way. */
  connected: boolean;
}

/** Why an event must not be forwarded, or undefined. */
function refusalOf(event: WebhookEvent, target: URL): string | undefined {
  if (event.body_truncated) return "not forwarded: the service kept only the start of the body";
  if (leavesPath(target, event.path))
    return "not forwarded: its path leads out of the target's path";
  return undefined;
}

function send(event: WebhookEvent, target: URL, timeoutMs: number): Promise<Attempt> {
  const began = performance.now();
  let connected = false;
  return new Promise((resolve) => {
    let status: number | null = null;
    // A response counts once its status has arrived, even if its body breaks off.
    const end = (reason: string | null) =>
      resolve({
        connected,
        status,
        error: status === null ? reason : null,
        duration_ms: Math.round(performance.now() - began),
      });
    let request: http.ClientRequest;
    try {
      request = requestOf(event, target);
    } catch (error) {
      connected = true; // another try would fail the same way
      return end(`it cannot be sent: ${messageOf(error)}`);
    }
    const timer = setTimeout(() => request.destroy(new Error("timeout")), timeoutMs);
    request.on("socket", (socket) => {
      const established = target.protocol === "https:" ? "secureConnect" : "connect";
      socket.once(established, () => {
        connected = true;
      });
    });
    request.on("response", (response) => {
      status = response.statusCode ?? null;
      response.resume();
    });
    request.on("error", (error) => {
      const seconds = Math.round(timeoutMs / 1000);
      end(error.message === "timeout" ? `no response within ${seconds} s` : reasonOf(error));
    });
    request.on("close", () => {
      clearTimeout(timer);
      end("the connection was closed without an answer");
    });
    request.end(rawBody(event));
  });
}

/**
 * Without keep-alive: if the target closed a reused connection just then, nobody would know whether
 * it got the event.
 */
function requestOf(event: WebhookEvent, target: URL): http.ClientRequest {
  const { request } = target.protocol === "https:" ? https : http;
  const sent = request({
    protocol: target.protocol,
    hostname: target.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: target.port,
    method: event.method,
    path: pathAt(target, event.path, event.query_string),
    agent: false,
    ...(target.username && {
      auth: `${decodeURIComponent(target.username)}:${decodeURIComponent(target.password)}`,
    }),
  });
  for (const [name, value] of forwardedHeaders(event)) sent.setHeader(name, value);
  const body = rawBody(event);
  if (body.length > 0 || event.headers["content-length"] !== undefined) {
    sent.setHeader("content-length", body.length);
  }
  return sent;
}

/** Leaves out the headers of the connection, and credentials that were not recorded. */
function forwardedHeaders({ headers }: WebhookEvent): [string, string][] {
  const named = (headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  return Object.entries(headers).filter(
    ([name, value]) => !HOP_BY_HOP.has(name) && !named.includes(name) && !value.includes(REDACTED),
  );
}

/** The text that the service records in place of a credential. */
const REDACTED = "[redacted]";

const HOP_BY_HOP = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function reasonOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ECONNREFUSED") return "connection refused";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "the host name is not known";
  if (code === "ECONNRESET") return "the connection was closed without an answer";
  return messageOf(error);
}

import { config } from "@/lib/platform/config/config";
import { OutboundError } from "@/lib/platform/outbound/error";
import { fetchOutbound, type OutboundResponse } from "@/lib/platform/outbound/fetch";
import { publicRules } from "@/lib/platform/outbound/policy";
import { metrics } from "@/lib/platform/telemetry/metrics";
import { parseTraceparent, type Span, startSpan } from "@/lib/platform/telemetry/trace";
import { runHeaders } from "@/lib/resources/run-headers";
import { shownIdOf } from "@/lib/resources/shown-id";
import service from "@/package.json" with { type: "json" };
import { RESPONSE_CHARACTERS_MAX } from "./contract";
import type { LeasedMessage } from "./lease";
import {
  isPushedEvent,
  isRefusal,
  PUSH_DELAYS_SECONDS,
  secretsOfPush,
  signedHeaders,
} from "./pushed-event";
import { type Failure, isRetryable, secondsToRetry } from "./retry";
import { signaturesOf } from "./signing";
import { secretsOf } from "./signing-secret";

/** The header that names a replay's message to the target. */
export const REPLAY_HEADER = "replay-message-id";

/** The result of one attempt, ready to be recorded. */
export interface Outcome {
  delivered: boolean;
  responseStatus: number | null;
  error: string | null;
  /** Seconds from now; null means no further attempt. */
  retryIn: number | null;
  durationMs: number;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
  /** Whether a connection was made; null if the target's address is refused. */
  connected: boolean | null;
}

/** Makes one attempt to deliver a leased message. Failures become outcomes, not exceptions. */
export async function deliver(message: LeasedMessage): Promise<Outcome> {
  const started = performance.now();
  const span = startSpan({
    name: `${message.method} of a message`,
    kind: "client",
    parent: traceparentOf(message),
    attributes: { "http.request.method": message.method },
  });
  const { failure, ...result } = await attempt(message, span).catch((error) => {
    span?.end(null);
    throw error;
  });
  span?.end(result.responseStatus);
  const durationMs = Math.round(performance.now() - started);
  metrics().attempts.inc({ outcome: outcomeName(result) });
  metrics().attemptSeconds.observe(durationMs / 1000);
  const isPush = isPushedEvent(message) && message.push_secret !== null;
  const retryIn =
    failure &&
    secondsToRetry(isPush ? { ...failure, retryable: !isRefusal(failure.status) } : failure, {
      ...(isPush && { delays: PUSH_DELAYS_SECONDS }),
      attempt: message.attempts - message.attempts_before,
      attemptsMax: message.attempts_max ?? config().messageMaxAttempts,
      now: message.leased_at + durationMs / 1000,
    });
  return { ...result, retryIn, durationMs };
}

type Attempt = Omit<Outcome, "retryIn" | "durationMs"> & { failure: Failure | null };

/** The label for metrics, with few values whatever targets return. */
function outcomeName({ delivered, error }: Pick<Outcome, "delivered" | "error">): string {
  if (delivered) return "delivered";
  const code = error?.split(":")[0] ?? "unknown";
  return code.replace(/^http_(\d)\d\d$/, "http_$1xx");
}

/** The `traceparent` in the message's own headers, or else that of the request that created it. */
function traceparentOf({ headers, traceparent }: LeasedMessage): string | undefined {
  const own = Object.entries(headers).find(([name]) => name.toLowerCase() === TRACEPARENT);
  return parseTraceparent(own ? own[1] : traceparent);
}

const TRACEPARENT = "traceparent";

/** Of an event whose subscription has ended: nothing is sent. */
const ENDED: Attempt = {
  delivered: false,
  responseStatus: null,
  error: "canceled: The subscription has ended.",
  responseHeaders: null,
  responseBody: null,
  connected: null,
  failure: { status: null, retryable: false },
};

async function attempt(message: LeasedMessage, span: Span | undefined): Promise<Attempt> {
  if (isPushedEvent(message) && message.push_secret === null) return ENDED;
  try {
    const response = await fetchOutbound({
      url: new URL(message.url),
      method: message.method,
      headers: headersOf(message, span?.traceparent ?? message.traceparent),
      body: message.body,
      connectionGroup: connectionGroupOf(message),
      ...(message.public_only && { rules: publicRules() }),
    });
    return outcomeOfResponse(response);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return outcomeOfError(error);
  }
}

/** Strangers never share connections. In local mode, all but foreign pages are one person. */
function connectionGroupOf({ organization_id, public_only }: LeasedMessage): string | undefined {
  if (organization_id !== null) return organization_id;
  return config().localMode && !public_only ? "local" : undefined;
}

function headersOf(message: LeasedMessage, traceparent: string | null): [string, string][] {
  const toOurselves = config().ownOrigins.includes(new URL(message.url).origin);
  const given = Object.entries(message.headers).filter(
    ([name]) =>
      !((toOurselves && FORWARDING.test(name)) || (message.is_replay && OF_REPLAY.test(name))),
  );
  return [
    ...(message.verbatim ? given : withOurs(message, given, traceparent)),
    ...(message.is_replay ? replayHeaders(message) : []),
  ];
}

/** Not those of a delivery, so that the target can verify the original sender's signature. */
function replayHeaders(message: LeasedMessage): [string, string][] {
  return [
    [REPLAY_HEADER, shownIdOf(message)],
    ["replay-attempt", String(message.attempts)],
  ];
}

function withOurs(
  message: LeasedMessage,
  given: [string, string][],
  traceparent: string | null,
): [string, string][] {
  const { leased_at: now, attempts, body, organization_id: organizationId } = message;
  if (message.subscription_id !== null && isPushedEvent(message)) {
    const { "webhook-id": id = message.id, ...headers } = Object.fromEntries(given);
    const secrets = secretsOfPush(message.subscription_id, message);
    return [...Object.entries(headers), userAgent(), ...signedHeaders(id, now, body, secrets)];
  }
  const secrets = secretsOf(message);
  // Identical for every attempt.
  const id = shownIdOf(message);
  const ofRun = Object.entries(runHeaders(message));
  const headers = given.filter(
    ([name]) => !(OVERWRITTEN.test(name) || (ofRun.length > 0 && OF_RUN.test(name))),
  );
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  if (body && !names.has("content-type")) headers.push(["Content-Type", contentTypeOf(body)]);
  if (!names.has("user-agent")) {
    headers.push(userAgent());
  }
  if (traceparent !== null && !names.has(TRACEPARENT)) headers.push([TRACEPARENT, traceparent]);
  return [
    ...headers,
    ["webhook-id", id],
    ["webhook-timestamp", String(now)],
    ["webhook-signature", signaturesOf(id, now, body, { organizationId, secrets })],
    ["message-attempt", String(attempts)],
    ...ofRun,
  ];
}

/** Names the service to a target. */
export function userAgent(): [string, string] {
  return ["User-Agent", `AgentInfrastructure/${service.version} (+${config().baseUrl})`];
}

const OVERWRITTEN = /^message-attempt$/i;
const OF_REPLAY = /^replay-(message-id|attempt)$/i;
const OF_RUN = /^schedule-(id|time)$/i;
/**
 * A message to ourselves may arrive over loopback, where proxies are trusted, so it must not carry
 * forwarding headers.
 */
const FORWARDING = /^(forwarded|x-forwarded-.*|x-real-ip)$/i;

/** The media type of a body that was sent without one. */
export function contentTypeOf(body: Buffer): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return "application/octet-stream";
  }
  try {
    JSON.parse(text);
    return "application/json";
  } catch {
    return "text/plain; charset=utf-8";
  }
}

function outcomeOfResponse({ status, headers, body, permission }: OutboundResponse): Attempt {
  const delivered = status >= 200 && status <= 299;
  return {
    delivered,
    responseStatus: status,
    error: delivered ? null : errorOf(status, headers),
    responseHeaders: headers,
    // The operator allowed requests to this private address, but not reading its responses.
    responseBody: permission === "allowed" ? null : excerpt(body),
    connected: true,
    failure: delivered
      ? null
      : { status, retryAfter: headers["retry-after"], retryable: isRetryable(status) },
  };
}

function outcomeOfError({ failure, message, status, connected }: OutboundError): Attempt {
  const final = failure === "blocked_address" || failure === "response_too_large";
  return {
    delivered: false,
    responseStatus: status,
    error: `${failure}: ${message}`,
    responseHeaders: null,
    responseBody: null,
    connected: failure === "blocked_address" ? null : connected,
    failure: { status, retryable: !final },
  };
}

function errorOf(status: number, headers: Record<string, string>): string {
  if (status < 300 || status > 399) return `http_${status}: The target returned ${status}.`;
  const location = headers.location?.slice(0, 500);
  return `redirect_not_followed: The target returned ${status}${location ? ` and points to ${location}` : ""}.`;
}

/** The body as text that Postgres can store. */
function excerpt(body: Buffer): string {
  const text = body.subarray(0, RESPONSE_CHARACTERS_MAX * 4).toString("utf8");
  const characters = [...text].slice(0, RESPONSE_CHARACTERS_MAX).join("");
  return characters.replaceAll("\0", "\ufffd").toWellFormed();
}

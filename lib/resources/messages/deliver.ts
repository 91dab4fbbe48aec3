import { config } from "@/lib/platform/config/config";
import { isOwnHost } from "@/lib/platform/http/own-origin";
import { ATTEMPT_HEADER, REPLAY_HEADER, SENT_FOR_HEADER } from "@/lib/platform/http/relayed";
import { sentFor } from "@/lib/platform/http/sent-for";
import { turnIfLong } from "@/lib/platform/loop-turns";
import { OutboundError } from "@/lib/platform/outbound/error";
import { fetchOutbound } from "@/lib/platform/outbound/fetch";
import { publicRules } from "@/lib/platform/outbound/policy";
import { logError } from "@/lib/platform/telemetry/log";
import { metrics } from "@/lib/platform/telemetry/metrics";
import { parseTraceparent, type Span, startSpan } from "@/lib/platform/telemetry/trace";
import { runHeaders } from "@/lib/resources/run-headers";
import { shownIdOf } from "@/lib/resources/shown-id";
import { isUnclaimed } from "@/lib/resources/storage/public-owners";
import service from "@/package.json" with { type: "json" };
import { contentTypeOf } from "./content-type";
import type { LeasedMessage } from "./lease";
import {
  type Attempt,
  type Outcome,
  outcomeName,
  outcomeOfError,
  outcomeOfResponse,
  unsent,
} from "./outcome";
import { unsealHeaders } from "./push-target";
import {
  isPushedEvent,
  isRefusal,
  PUSH_DELAYS_SECONDS,
  secretsOfPush,
  signedHeaders,
} from "./pushed-event";
import { secondsToRetry } from "./retry";
import { signaturesOf } from "./signing";
import { secretsOf } from "./signing-secret";
import { textInstead } from "./text-request";

/** Makes one attempt to deliver a leased message. Failures become outcomes, not exceptions. */
export async function deliver(leased: LeasedMessage): Promise<Outcome> {
  await turnIfLong(leased.body?.length ?? 0);
  const started = performance.now();
  const { failure, ...result } = await attempt(leased).catch((error) => {
    logError("An attempt failed:", error);
    return unsent("interrupted: The server failed during the attempt.", true);
  });
  const durationMs = Math.round(performance.now() - started);
  metrics().attempts.inc({ outcome: outcomeName(result) });
  metrics().attemptSeconds.observe(durationMs / 1000);
  const isPush = isPushedEvent(leased) && leased.push_secret !== null;
  const retryIn =
    failure &&
    secondsToRetry(isPush ? { ...failure, retryable: !isRefusal(failure.status) } : failure, {
      ...(isPush && { delays: PUSH_DELAYS_SECONDS }),
      attempt: leased.attempts - leased.attempts_before,
      attemptsMax: leased.attempts_max ?? config().messageMaxAttempts,
      now: leased.leased_at + durationMs / 1000,
    });
  return { retryIn, durationMs, ...result };
}

/**
 * The message with a text as its body if its target takes one: it may have been queued before that,
 * with what a stranger wrote.
 */
function asTargetTakesIt(message: LeasedMessage): LeasedMessage {
  if (message.text_field === null) return message;
  return { ...message, ...textInstead(message.text_field, message) };
}

/** The `traceparent` in the message's own headers, or else that of the request that created it. */
function traceparentOf({ headers, traceparent }: LeasedMessage): string | undefined {
  const own = Object.entries(headers).find(([name]) => name.toLowerCase() === TRACEPARENT);
  return parseTraceparent(own ? own[1] : traceparent);
}

const TRACEPARENT = "traceparent";

async function attempt(leased: LeasedMessage): Promise<Attempt> {
  const message = asTargetTakesIt(leased);
  const span = startSpan(() => ({
    name: `${message.method} of a message`,
    kind: "client",
    parent: traceparentOf(message),
    attributes: { "http.request.method": message.method },
  }));
  let status: number | null = null;
  try {
    const result = await send(message, span);
    status = result.responseStatus;
    return result;
  } finally {
    span?.end(status);
  }
}

async function send(message: LeasedMessage, span: Span | undefined): Promise<Attempt> {
  if (isPushedEvent(message)) {
    if (message.push_secret === null) {
      return unsent("interrupted: The subscription has ended.", false);
    }
    if (secretsOfPush(message.subscription_id, message).length === 0) {
      return unsent("interrupted: SERVER_SECRET was changed. Subscribe again.", true);
    }
  }
  const added = addedTo(message);
  if (added === undefined) {
    return unsent("interrupted: SERVER_SECRET was changed. Set the headers again.", true);
  }
  try {
    const response = await fetchOutbound({
      url: new URL(message.url),
      method: message.method,
      headers: headersOf(message, added, span?.traceparent ?? message.traceparent),
      body: message.body,
      connectionGroup: connectionGroupOf(message),
      ...(message.public_only && { rules: publicRules() }),
    });
    return outcomeOfResponse(response, added);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return outcomeOfError(error);
  }
}

/** The headers that its forward or subscription adds; undefined if they cannot be decrypted. */
function addedTo({ sealed_headers, url, ...message }: LeasedMessage) {
  if (sealed_headers === null) return [];
  return unsealHeaders(
    message.webhook_endpoint_id ?? message.subscription_id ?? "",
    url,
    sealed_headers,
  );
}

/**
 * The group of messages that may share connections; undefined for none. Strangers never do. In
 * local mode, everyone but foreign pages counts as one person.
 */
function connectionGroupOf({ organization_id, public_only }: LeasedMessage): string | undefined {
  if (organization_id !== null) return organization_id;
  return config().localMode && !public_only ? "local" : undefined;
}

function headersOf(
  message: LeasedMessage,
  added: [string, string][],
  traceparent: string | null,
): [string, string][] {
  const toOurselves = isOwnHost(new URL(message.url));
  const names = new Set(added.map(([name]) => name.toLowerCase()));
  const own = Object.entries(message.headers).filter(([name]) => !names.has(name.toLowerCase()));
  const given = [...own, ...added].filter(
    ([name]) =>
      !((toOurselves && FORWARDING.test(name)) || (message.is_replay && OF_REPLAY.test(name))),
  );
  return [
    ...(message.verbatim ? given : withOurs(message, given, traceparent)),
    ...(message.is_replay ? replayHeaders(message) : []),
    ...(toOurselves ? countedHeaders(message) : []),
  ];
}

/**
 * Headers that count a message for its organization or the stranger's network. Unclaimed organizations, which
 * anyone can make, get none and count together for our address.
 */
function countedHeaders({ organization_id, lane }: LeasedMessage): [string, string][] {
  if (lane === "" || (organization_id !== null && isUnclaimed(organization_id))) return [];
  // Not the bare ID: what the message creates without a key would take turns and space as the organization's.
  return [[SENT_FOR_HEADER, sentFor(organization_id === null ? lane : `messages-of-${lane}`)]];
}

/**
 * Named differently from those of a delivery, so that the target can verify the original sender's
 * signature.
 */
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
  if (isPushedEvent(message)) {
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
    [ATTEMPT_HEADER, String(attempts)],
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

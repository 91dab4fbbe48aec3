import { randomBytes } from "node:crypto";
import { unixNow } from "@/lib/platform/db/clock";
import { OutboundError } from "@/lib/platform/outbound/error";
import { fetchOutbound, type OutboundResponse } from "@/lib/platform/outbound/fetch";
import { publicRules } from "@/lib/platform/outbound/policy";
import { isSameSecret } from "@/lib/platform/secrets";
import { userAgent } from "@/lib/resources/messages/deliver";
import { SUBSCRIPTION_HEADER, signedHeaders } from "@/lib/resources/messages/pushed-event";

const CALLBACK_MS_MAX = 10_000;
const RESPONSE_BYTES_MAX = 10_000;

/** Where a subscription's events go. */
interface Callback {
  subscriptionId: string;
  url: string;
  secrets: readonly Uint8Array[];
  publicOnly: boolean;
}

export type Envelope =
  | { type: "verification"; challenge: string }
  | { type: "gap"; cursor: string }
  | { type: "terminated"; error: object };

/** Why a callback could not be verified, in the words of the protocol. */
export type CallbackFailure = "challenge_failed" | "timeout" | "tls_error" | "connection_refused";

/**
 * Asks the callback whether it wants the events: it must echo a random text. Returns why it is not
 * verified, or undefined.
 */
export async function verifyCallback(callback: Callback): Promise<CallbackFailure | undefined> {
  const challenge = randomBytes(24).toString("base64url");
  try {
    const { status, body } = await post(callback, { type: "verification", challenge });
    const isEcho = status >= 200 && status <= 299 && isSameSecret(echoOf(body), challenge);
    return isEcho ? undefined : "challenge_failed";
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.failure === "timeout" || error.failure === "tls_error") return error.failure;
    return error.failure === "response_too_large" ? "challenge_failed" : "connection_refused";
  }
}

/** Tells the callback something that is no event. A failure changes nothing. */
export async function notify(callback: Callback, envelope: Envelope): Promise<void> {
  await post(callback, envelope).catch(() => {});
}

async function post(
  { subscriptionId, url, secrets, publicOnly }: Callback,
  envelope: Envelope,
): Promise<OutboundResponse> {
  const body = Buffer.from(JSON.stringify(envelope));
  const id = `msg_${envelope.type}_${randomBytes(12).toString("hex")}`;
  return fetchOutbound({
    url: new URL(url),
    method: "POST",
    headers: [
      ["Content-Type", "application/json"],
      [SUBSCRIPTION_HEADER, subscriptionId],
      userAgent(),
      ...signedHeaders(id, await unixNow(), body, secrets),
    ],
    body,
    limits: { totalTimeoutMs: CALLBACK_MS_MAX, responseBytesMax: RESPONSE_BYTES_MAX },
    ...(publicOnly && { rules: publicRules() }),
  });
}

function echoOf(body: Buffer): string {
  try {
    return String(Object(JSON.parse(body.toString("utf8"))).challenge);
  } catch {
    return "";
  }
}

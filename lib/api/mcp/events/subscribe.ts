import { ProtocolError } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Session } from "@/lib/api/mcp/call";
import { assertScope } from "@/lib/api/perform";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { targetUrl } from "@/lib/resources/messages/target";
import {
  CallbackRefusal,
  type Subscribing,
  subscribe,
  unsubscribe,
} from "@/lib/resources/subscriptions/event-service";
import { askedFor, eventFields, paramsOf, turnsFor } from "./asked";
import { EVENT_ERRORS } from "./errors";

export const SECRET_BYTES = { min: 24, max: 64 };

const url = targetUrl.check((context) => {
  if (!URL.canParse(context.value)) return;
  const { protocol, hostname, hash } = new URL(context.value);
  const isLocal = config().localMode && /^(127\.0\.0\.1|\[::1\]|localhost)$/.test(hostname);
  if (protocol !== "https:" && !isLocal) {
    context.issues.push({ code: "custom", message: "must be an https URL", input: context.value });
  }
  if (hash !== "") {
    context.issues.push({ code: "custom", message: "must have no #", input: context.value });
  }
});
const secret = z.string().refine((given) => {
  const base64 = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(given)?.[1];
  const { length } = Buffer.from(base64 ?? "", "base64");
  return length >= SECRET_BYTES.min && length <= SECRET_BYTES.max;
}, `must be whsec_ and ${SECRET_BYTES.min} to ${SECRET_BYTES.max} bytes in base64`);

const Subscribe = z.strictObject({
  ...eventFields,
  delivery: z.strictObject({ mode: z.string().default("webhook"), url, secret }),
  ttlMs: z.int().min(1).nullable().optional(),
});
const Unsubscribe = z.strictObject({
  name: eventFields.name,
  arguments: eventFields.arguments,
  delivery: z.strictObject({ mode: z.string().default("webhook"), url: z.string().max(2000) }),
});

type Subscriber = Pick<Session, "asked" | "caller" | "clientAddress">;

/** Registers a callback for events, or extends its registration. */
export async function subscribeEvents(client: Subscriber, given: Record<string, unknown>) {
  const { caller } = client;
  const params = authorized(client, Subscribe, given);
  const asked = subscribingOf(caller, params);
  const terms = {
    secret: params.delivery.secret,
    cursor: params.cursor,
    maxAgeMs: params.maxAgeMs ?? undefined,
    ttlMs: params.ttlMs,
    inTurn: turnsFor(client, asked),
  };
  try {
    const done = await subscribe(caller, asked, terms);
    const { id, cursor, truncated, wasActive } = done;
    return {
      id,
      refreshBefore: new Date(done.expiresAt * 1000).toISOString(),
      cursor,
      truncated,
      ...(wasActive !== undefined && { deliveryStatus: { active: wasActive } }),
    };
  } catch (error) {
    if (!(error instanceof CallbackRefusal)) throw error;
    throw new ProtocolError(EVENT_ERRORS.callbackEndpoint, error.message, { reason: error.reason });
  }
}

/** Ends the registration of a callback. */
export async function unsubscribeEvents(client: Subscriber, given: Record<string, unknown>) {
  const { caller } = client;
  const params = authorized(client, Unsubscribe, given);
  if (await unsubscribe(caller, subscribingOf(caller, params))) return {};
  const message = "There is no such subscription: name, arguments and URL must be the same.";
  throw new ProtocolError(EVENT_ERRORS.notFound, message, { kind: "subscription" });
}

/** The parameters of a caller that may subscribe. */
function authorized<Schema extends z.ZodObject>(
  { asked, caller }: Subscriber,
  schema: Schema,
  given: Record<string, unknown>,
): z.output<Schema> {
  if (asked.read_only) {
    const message =
      "This URL has read_only=true, and a subscription changes something. Poll or stream.";
    throw new ProtocolError(EVENT_ERRORS.forbidden, message);
  }
  if (caller.kind === "anonymous") {
    const message = "A subscription needs an API key or a sign-in. Without one, poll or stream.";
    throw new ProtocolError(EVENT_ERRORS.forbidden, message);
  }
  assertScope({ scope: "api.write", auth: "required" }, caller);
  return paramsOf(schema, given);
}

function subscribingOf(
  caller: Caller,
  params: z.output<typeof Unsubscribe> | z.output<typeof Subscribe>,
): Subscribing {
  const { mode, url: callback } = params.delivery;
  if (mode !== "webhook") {
    const data = { feature: "deliveryMode", value: mode.slice(0, 100) };
    throw new ProtocolError(EVENT_ERRORS.unsupported, "delivery.mode must be webhook.", data);
  }
  return { ...askedFor(caller, params), given: params.arguments ?? {}, url: callback };
}

import { SUBSCRIPTION_ID_META_KEY } from "@modelcontextprotocol/server";
import * as z from "zod";
import { credentialOf } from "@/lib/identity/credential";
import { unavailable } from "@/lib/platform/errors";
import { eventStream } from "@/lib/platform/http/event-stream";
import { onOneLine, toJsonLine } from "@/lib/platform/http/json-text";
import { HttpResponse } from "@/lib/platform/http/response";
import { onStreamEnd, takeConnectionSlot } from "@/lib/platform/limits/connection-slots";
import type { Wait } from "@/lib/platform/wakeups/pubsub";
import { occurrenceOf } from "@/lib/resources/subscriptions/events/source";
import { startFrom } from "@/lib/resources/subscriptions/events/sources";
import { askedFor, type Client, eventFields, paramsOf, turnsFor } from "./asked";
import { protocolError } from "./errors";

export const STREAM_HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
};
const JSON_TYPE = "application/json";
const EVENTS_PER_READ = 10;

const Stream = z.strictObject(eventFields);

type Notification = [name: string, params: Record<string, unknown>];

/** A stream that may begin. */
export interface OpenedStream {
  active: Notification;
  /** The next notifications, at least one. */
  read(wait: Wait): Promise<Notification[]>;
  /** Frees its connection slot. */
  release(): void;
}

/** Checks what a client wants to follow, and takes a slot for it. */
export async function openStream(
  client: Client,
  given: Record<string, unknown>,
): Promise<OpenedStream> {
  const { caller, clientAddress } = client;
  const { maxAgeMs, ...params } = paramsOf(Stream, given);
  const asked = askedFor(caller, params);
  const { source, args } = asked;
  const credential = credentialOf(caller);
  const inTurn = turnsFor(client, asked);
  const start = { cursor: params.cursor, maxAgeMs: maxAgeMs ?? undefined, inTurn };
  const { truncated, ...from } = await startFrom(caller, asked, start);
  const endpoint = source.endpointOf?.(args);
  const wait = {
    kind: "stream" as const,
    ...(endpoint !== undefined && { endpoints: [endpoint] }),
  };
  let { cursor } = from;
  let isOver = false;
  return {
    active: ["active", { cursor, truncated }],
    async read(wait) {
      if (isOver) throw unavailable("The stream has been terminated.");
      try {
        const page = await source.read(caller, args, cursor, {
          limit: EVENTS_PER_READ,
          wait: {
            ...wait,
            credential,
            inTurn: turnsFor(client, asked, { signal: wait.signal, isUnderWay: true }),
          },
        });
        // An empty page has no `start`, so a gap shows with the next events.
        const isGap = page.start !== undefined && page.start > cursor;
        const notifications: Notification[] = isGap
          ? [["active", { cursor: page.start, truncated: true }]]
          : [];
        ({ cursor } = page);
        if (page.events.length === 0) notifications.push(["heartbeat", { cursor }]);
        for (const event of page.events) {
          const params = { ...occurrenceOf(source.name, event), cursor: event.cursor };
          notifications.push(["event", params]);
        }
        return notifications;
      } catch (thrown) {
        isOver = true;
        const { code, message, data } = protocolError(thrown);
        return [["terminated", { error: { code, message, data } }]];
      }
    },
    release: takeConnectionSlot(wait, clientAddress),
  };
}

/**
 * The notifications of a stream as server-sent events, and then the response to its request; only
 * that, as JSON, if none was opened.
 */
export async function streamOf(
  opened: () => OpenedStream | undefined,
  id: unknown,
  response: Response,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const frame = ([name, params]: Notification) => {
    const _meta = { [SUBSCRIPTION_ID_META_KEY]: id };
    const method = `notifications/events/${name}`;
    return `data: ${toJsonLine({ jsonrpc: "2.0", method, params: { ...params, _meta } })}\n\n`;
  };
  // In the older revision it is a stream of one event, and the request has been handled at its end.
  const text = await response.text();
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  const json = (isStream && /^data: ([^\r\n]*)/m.exec(text)?.[1]) || text;
  const stream = opened();
  if (!stream) return new HttpResponse(response.status, { "Content-Type": JSON_TYPE }, json);
  const { active, read, release } = stream;
  const frames = eventStream(
    { first: frame(active), last: `data: ${onOneLine(json)}\n\n` },
    signal,
    async (wait) => (await read(wait)).map(frame).join(""),
  );
  return new HttpResponse(200, STREAM_HEADERS, onStreamEnd(frames, signal, release));
}

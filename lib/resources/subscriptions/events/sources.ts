import type * as z from "zod";
import type { Caller } from "@/lib/platform/caller";
import { unixNow } from "@/lib/platform/db/clock";
import { ApiError, invalidParam } from "@/lib/platform/errors";
import type { InTurn } from "@/lib/platform/limits/search-gate";
import { change } from "./changed";
import { messageEnded } from "./message-ended";
import { questionAnswered } from "./question-answered";
import { inboxReady, taskReady } from "./ready";
import type { EventSource } from "./source";
import { webhookReceived } from "./webhook-received";

export const eventSources: readonly EventSource[] = [
  webhookReceived,
  inboxReady,
  taskReady,
  messageEnded,
  questionAnswered,
  change,
];

/** What a client asks for: a type of event, with its arguments. */
export interface Asked {
  source: EventSource;
  args: z.output<z.ZodObject>;
}

/** From where a client wants to read. */
interface Start {
  cursor?: string | null | undefined;
  maxAgeMs?: number | undefined;
  /** Runs each read. */
  inTurn: InTurn;
}

/**
 * How many events each read looks at to find the first that matches, usually the next one. If none of
 * them match, reading starts after them.
 */
const LOOKED_AT = [1, 100, 100, 100, 100, 100];

/**
 * Where to start reading: after the cursor, or now without one. `truncated` if some events
 * after the cursor are no longer kept, or the first that matches is older than `maxAgeMs`: then it starts later.
 * Throws 400 for a text that is not a cursor of this event, 401 without a key for the events of an organization, and
 * 404 and 403.
 */
export async function startFrom(
  caller: Caller,
  { source, args }: Asked,
  { cursor, maxAgeMs, inTurn }: Start,
): Promise<{ cursor: string; truncated: boolean }> {
  if (caller.kind === "anonymous" && source.needsKey(args)) {
    const message = `${source.name} is about an organization: send its API key.`;
    throw new ApiError("unauthorized", message);
  }
  if (cursor === undefined || cursor === null) {
    return { cursor: await source.start(caller, args), truncated: false };
  }
  const resumed = await source.resume(caller, args, cursor);
  if (resumed === undefined) {
    throw invalidParam("cursor", `"cursor" must be one that ${source.name} returned, or null.`);
  }
  const truncated = resumed !== cursor;
  if (maxAgeMs === undefined) return { cursor: resumed, truncated };
  let position = resumed;
  for (const limit of LOOKED_AT) {
    const page = await inTurn(() => source.read(caller, args, position, { limit }));
    const [first] = page.events;
    if (first !== undefined && first.at * 1000 < (await unixNow()) * 1000 - maxAgeMs) {
      return { cursor: await source.start(caller, args), truncated: true };
    }
    if (first !== undefined || !page.hasMore) break;
    position = page.cursor;
  }
  return { cursor: position, truncated };
}

import * as z from "zod";
import type { CallerWait } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { query, raw, sql } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { text } from "@/lib/platform/http/fields";
import { waitFor } from "@/lib/platform/wakeups/pubsub";
import { Change, changeAction, changeKind } from "@/lib/resources/changes/contract";
import { isBefore, positionOf, START, textOf } from "@/lib/resources/changes/position";
import {
  type ChangeFilter,
  type ChangePage,
  latestPosition,
  newestChanges,
  readChanges,
} from "@/lib/resources/changes/read";
import { ownerOf, waitForChanges } from "@/lib/resources/changes/service";
import type { Kind } from "@/lib/resources/kinds";
import { messageKind } from "@/lib/resources/messages/kind";
import { get as getMessage } from "@/lib/resources/messages/service";
import { changesOf, hasEnded } from "@/lib/resources/messages/wait";
import { eventSource, type OccurrencePage, type Watched } from "./source";

const POLL_MS = 1000;

export const change = eventSource({
  name: "change",
  description: "Something happened to a resource of your organization, as in the feed of changes.",
  input: z.strictObject({
    kinds: z.array(changeKind).min(1).max(20).optional().describe("Only these kinds of resources."),
    actions: z.array(changeAction).min(1).max(40).optional().describe("Only these changes."),
  }),
  payload: z.object(Change.shape),
  needsKey: () => true,
  pulses: newestOf,
  start: async () => textOf(await latestPosition()),
  resume: (caller, _args, cursor) => resumeFeed(caller, cursor),
  read: (caller, { kinds, actions }, cursor, asked) =>
    readFeed(caller, { kind: kinds, action: actions }, cursor, asked, (one) => ({ ...one })),
});

const ENDS = ["delivered", "failed", "canceled"] as const;

export const messageEnded = eventSource({
  name: "message.ended",
  description:
    "A scheduled message was delivered, failed for good or was canceled. With `message_id`, also sent if the message had already ended.",
  input: z.strictObject({
    message_id: text({ max: 100 })
      .optional()
      .describe("Only this message, msg_…. Without it, all of your organization."),
    status: z.enum(ENDS).optional().describe("Only messages that ended like this."),
  }),
  payload: z.object({
    message_id: z.string().describe("The message."),
    status: z.enum(ENDS).describe("How it ended."),
    ended_at: z.int().describe("When, in Unix seconds."),
    message_url: z.string().describe("Where the message and its outcome are."),
  }),
  needsKey: ({ message_id }) => message_id === undefined,
  pulses: (watched) => pulsesOf(messageKind, watched, ({ message_id }) => message_id),
  async start(caller, { message_id }) {
    if (message_id === undefined) return textOf(await latestPosition());
    await getMessage(caller, message_id);
    return NOT_ENDED;
  },
  async resume(caller, { message_id }, cursor) {
    if (message_id === undefined) return resumeFeed(caller, cursor);
    return ENDED.test(cursor) ? cursor : undefined;
  },
  async read(caller, { message_id, status }, cursor, asked) {
    if (message_id !== undefined) return readOne(caller, message_id, status, cursor, asked.wait);
    const filter = { kind: ["messages"], action: status ? [status] : ENDS } as const;
    return readFeed(caller, filter, cursor, asked, ({ resource_id, action, created_at }) =>
      payloadOf(resource_id, action, created_at),
    );
  },
});

/** For each, a text that changes whenever something in its organization does. */
function newestOf(watched: readonly Watched<unknown>[]): Promise<string[]> {
  return newestChanges(watched.map(({ organizationId }) => organizationId));
}

/** The same; for those that name a resource, a text that changes with that resource or its owner. */
export async function pulsesOf<Arguments>(
  { table }: Kind,
  watched: readonly Watched<Arguments>[],
  idIn: (args: Arguments) => string | undefined,
): Promise<string[]> {
  const newest = await newestOf(watched.filter(({ args }) => idIn(args) === undefined));
  const ids = [...new Set(watched.flatMap(({ args }) => idIn(args) ?? []))];
  const statement = sql`
    SELECT id, concat_ws('/', organization_id, revision) AS revision FROM ${raw(table)}
    WHERE id = ANY (${ids})`;
  // (b) For all that wait.
  const rows = ids.length > 0 ? await query<{ id: string; revision: string }>(statement) : [];
  const revisions = new Map(rows.map(({ id, revision }) => [id, revision]));
  return watched.map(({ args }) => {
    const id = idIn(args);
    return (id === undefined ? newest.shift() : revisions.get(id)) ?? "";
  });
}

/** The positions before a message has ended, and after it has ended at an attempt. */
const NOT_ENDED = "end_0";
const ENDED = /^end_\d{1,9}(_(delivered|failed|canceled))?$/;

async function readOne(
  caller: Caller,
  id: string,
  wanted: string | undefined,
  cursor: string,
  wait: CallerWait | undefined,
): Promise<OccurrencePage> {
  const read = async () => {
    const message = await getMessage(caller, id);
    const ended = hasEnded(message) && !message.held;
    // After a retry that was read, the next end is a new event, even if the status is the same.
    const open = cursor.replace(/_[a-z]+$/, "");
    const next = ended ? `end_${message.attempts}_${message.status}` : open;
    return { message, ended, next };
  };
  let { message, ended, next } = await read();
  if (wait && next === cursor) {
    const hasChanged = changesOf(id);
    await waitFor(wait.credential.topics, wait, async (retryIn) => {
      if (await hasChanged()) ({ message, ended, next } = await read());
      retryIn(POLL_MS, await wait.credential.assertLive());
      return next !== cursor || undefined;
    });
  }
  const { status, updated_at: at } = message;
  const isWanted = ended && next !== cursor && (wanted === undefined || status === wanted);
  const eventId = `${id}.${next}.${at}`;
  const event = { eventId, at, data: payloadOf(id, status, at), cursor: next };
  return { events: isWanted ? [event] : [], cursor: next, hasMore: false };
}

function payloadOf(id: string, status: string, at: number) {
  const message_url = `${config().baseUrl}/api/messages/${id}`;
  return { message_id: id, status, ended_at: at, message_url };
}

/** The changes after a position of the feed, each as `shown` makes its event. */
export async function readFeed(
  caller: Caller,
  filter: ChangeFilter,
  cursor: string,
  { limit, wait }: { limit: number; wait?: CallerWait },
  shown: (one: Change) => Record<string, unknown>,
): Promise<OccurrencePage> {
  const organizationId = ownerOf(caller);
  const after = positionOf(cursor);
  if (!after) throw new Error("The position of a feed was checked before.");
  const page: ChangePage = wait
    ? await waitForChanges(organizationId, after, { ...filter, limit }, wait)
    : await readChanges(organizationId, after, filter, limit);
  return {
    events: page.changes.map((one) => ({
      eventId: one.id,
      at: one.created_at,
      data: shown(one),
      cursor: one.id,
    })),
    cursor: textOf(page.next),
    hasMore: page.hasMore,
  };
}

/** Where the feed goes on after a cursor, as `resume` of a source does. */
export async function resumeFeed(caller: Caller, cursor: string): Promise<string | undefined> {
  const position = positionOf(cursor);
  if (!position) return undefined;
  try {
    await readChanges(ownerOf(caller), position, {}, 1);
    return cursor;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "cursor_expired")) throw error;
    const latest = await latestPosition();
    return textOf(isBefore(position, latest) ? START : latest);
  }
}

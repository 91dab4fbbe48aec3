import { ownerOf } from "@/lib/identity/access";
import { type CallerWait, credentialOf, waitAs } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { invalidParam } from "@/lib/platform/errors";
import { eventStream } from "@/lib/platform/http/event-stream";
import type { HttpRequest } from "@/lib/platform/http/request";
import type { ChangeList, ChangeListQuery, ChangeStreamQuery } from "./contract";
import { type Position, positionOf, START, textOf } from "./position";
import { type ChangeFilter, type ChangePage, latestPosition, readChanges } from "./read";
import { changesTopic, subscribe } from "./subscribe";

/** The poll interval if a publication is missed. */
const POLL_MS = 5000;
const STREAM_PAGE_CHANGES = 100;

/**
 * The changes of the caller's organization, oldest first. With `wait`, waits for one until the time
 * is up. Throws 410 `cursor_expired`.
 */
export async function list(
  caller: Caller,
  { after, wait = 0, limit, ...filter }: ChangeListQuery,
  signal: AbortSignal,
): Promise<ChangeList> {
  const organizationId = ownerOf(caller);
  const position = (await positionFor(after)) ?? START;
  const { changes, next, hasMore } = await waitForChanges(
    organizationId,
    position,
    { ...filter, limit },
    { milliseconds: wait * 1000, signal, credential: credentialOf(caller) },
  );
  return { object: "list", data: changes, has_more: hasMore, next_cursor: textOf(next) };
}

/** The position that a client passed; undefined if none. */
async function positionFor(given: string | undefined): Promise<Position | undefined> {
  if (given === undefined) return undefined;
  return given === "latest" ? latestPosition() : positionOf(given);
}

/**
 * The matching changes of the caller's organization after `position` (default: now) as server-sent
 * events, each once and in order. Reads only on demand. Throws 410 `cursor_expired`.
 */
export async function streamChanges(
  caller: Caller,
  { kind, action }: ChangeStreamQuery,
  position: Position | undefined,
  callerGone: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const organizationId = ownerOf(caller);
  const credential = credentialOf(caller);
  let next = position ?? (await latestPosition());
  // Refuses an expired position before the stream starts.
  await readChanges(organizationId, next, {}, 1);
  return eventStream(textOf(next), callerGone, async (wait) => {
    const filter = { kind, action, limit: STREAM_PAGE_CHANGES };
    const page = await waitForChanges(organizationId, next, filter, { ...wait, credential });
    next = page.next;
    // An ID without data advances the client's position and shows that the stream is alive.
    if (page.changes.length === 0) return `id: ${textOf(next)}\n\n`;
    return page.changes
      .map((change) => `id: ${change.id}\ndata: ${JSON.stringify(change)}\n\n`)
      .join("");
  });
}

/** Where a stream starts. A reconnecting client sends the last ID it received. */
export async function startOf(
  request: HttpRequest,
  { after }: ChangeStreamQuery,
): Promise<Position | undefined> {
  const lastSeen = request.headers.get("last-event-id");
  if (lastSeen === null || lastSeen === "") return positionFor(after);
  const position = positionOf(lastSeen);
  if (position) return position;
  throw invalidParam("Last-Event-ID", "Last-Event-ID must be the ID of a change, chg_….");
}

/**
 * Waits for a page of matching changes. The page is empty on timeout, disconnection or shutdown,
 * and if there are more changes after many that do not match.
 */
export async function waitForChanges(
  organizationId: string,
  after: Position,
  { limit, ...filter }: ChangeFilter & { limit: number },
  wait: CallerWait,
): Promise<ChangePage> {
  if (wait.milliseconds === 0) return readChanges(organizationId, after, filter, limit);
  // Subscribes before the first read, so that no change in between is missed.
  const end = subscribe(organizationId);
  let page: ChangePage = { changes: [], next: after, hasMore: false };
  try {
    await waitAs([changesTopic(organizationId)], wait, async (retryIn) => {
      // Changes that did not match need not be read again.
      page = await readChanges(organizationId, page.next, filter, limit);
      retryIn(POLL_MS);
      return page.changes.length > 0 || page.hasMore ? page : undefined;
    });
  } finally {
    end();
  }
  return page;
}

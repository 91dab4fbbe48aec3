import { organizationOf } from "@/lib/identity/access";
import { type CallerWait, credentialOf } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { waitFor } from "@/lib/platform/wakeups/pubsub";
import type { ChangeList, ChangeListQuery } from "./contract";
import { type Position, positionOf, START, textOf } from "./position";
import { type ChangeFilter, type ChangePage, latestPosition, readChanges } from "./read";
import { changesTopic, subscribe } from "./subscribe";

/** The poll interval if a publication is missed. */
const POLL_MS = 5000;

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

/** The organization of a caller with a credential. */
export function ownerOf(caller: Caller): string {
  const organizationId = organizationOf(caller);
  if (organizationId === null) throw new Error("The caller of the feed has no organization.");
  return organizationId;
}

/** The position that a client passed; undefined if none. */
export async function positionFor(given: string | undefined): Promise<Position | undefined> {
  if (given === undefined) return undefined;
  return given === "latest" ? latestPosition() : positionOf(given);
}

/** Waits for a page of matching changes; empty on timeout, disconnection or shutdown. */
export async function waitForChanges(
  organizationId: string,
  after: Position,
  { limit, ...filter }: ChangeFilter & { limit: number },
  wait: CallerWait,
): Promise<ChangePage> {
  if (wait.milliseconds === 0) return readChanges(organizationId, after, filter, limit);
  const { credential, milliseconds, signal } = wait;
  const deadline = performance.now() + milliseconds;
  // Subscribes before the first read, so that no change in between is missed.
  const end = subscribe(organizationId);
  let page: ChangePage = { changes: [], next: after, hasMore: false };
  const topics = [changesTopic(organizationId), ...credential.topics];
  try {
    await waitFor(topics, { milliseconds, signal }, async (retryIn) => {
      do {
        // Changes that did not match need not be read again.
        page = await readChanges(organizationId, page.next, filter, limit);
      } while (
        page.changes.length === 0 &&
        page.hasMore &&
        !signal.aborted &&
        performance.now() < deadline
      );
      // Checked after reading, so that nothing is returned once the key has ended.
      retryIn(POLL_MS, await credential.assertLive());
      return page.changes.length > 0 || page.hasMore ? page : undefined;
    });
  } finally {
    end();
  }
  return page;
}

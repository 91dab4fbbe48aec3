import * as z from "zod";
import { ownerOf } from "@/lib/identity/access";
import type { CallerWait } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { ApiError } from "@/lib/platform/errors";
import { Change, changeAction, changeKind } from "@/lib/resources/changes/contract";
import { isBefore, positionOf, START, textOf } from "@/lib/resources/changes/position";
import {
  type ChangeFilter,
  type ChangePage,
  latestPosition,
  newestChanges,
  readChanges,
} from "@/lib/resources/changes/read";
import { waitForChanges } from "@/lib/resources/changes/service";
import { eventSource, type OccurrencePage, type Watched } from "./source";

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
    readFeed(caller, { kind: kinds, action: actions }, cursor, asked, async (one) => ({ ...one })),
});

/** For each subscription, a text that changes whenever something in its organization does. */
export function newestOf(watched: readonly Watched<unknown>[]): Promise<string[]> {
  return newestChanges(watched.map(({ organizationId }) => organizationId));
}

/** The changes after a position of the feed, each as `shown` makes its event. */
export async function readFeed(
  caller: Caller,
  filter: ChangeFilter,
  cursor: string,
  { limit, wait }: { limit: number; wait?: CallerWait },
  shown: (one: Change) => Promise<Record<string, unknown>>,
): Promise<OccurrencePage> {
  const organizationId = ownerOf(caller);
  const after = positionOf(cursor);
  if (!after) throw new Error("The position of a feed was checked before.");
  const page: ChangePage = wait
    ? await waitForChanges(organizationId, after, { ...filter, limit }, wait)
    : await readChanges(organizationId, after, filter, limit);
  return {
    events: await Promise.all(
      page.changes.map(async (one) => {
        const data = await shown(one);
        return { eventId: one.id, at: one.created_at, data, cursor: one.id };
      }),
    ),
    cursor: textOf(page.next),
    hasMore: page.hasMore,
  };
}

/** The position of the feed to continue from after a cursor, as `resume` of a source returns it. */
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

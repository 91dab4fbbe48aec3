import type * as z from "zod";
import { waitAs } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { query, raw, sql } from "@/lib/platform/db/sql";
import type { ChangeAction } from "@/lib/resources/change";
import { textOf } from "@/lib/resources/changes/position";
import { latestPosition } from "@/lib/resources/changes/read";
import type { Kind } from "@/lib/resources/kinds";
import { newestOf, readFeed, resumeFeed } from "./changed";
import { type EventSource, eventSource, type OccurrencePage, type Watched } from "./source";

/** The position before a resource has ended. */
const NOT_ENDED = "end_0";

/** How a resource ended, and when in Unix seconds. */
interface End {
  id: string;
  state: string;
  at: number;
}

interface EndedSource<Input extends z.ZodObject, Resource>
  extends Pick<EventSource, "name" | "description" | "payload"> {
  input: Input;
  kind: Kind;
  /** The ID in the arguments. Without one, they ask for all of the organization. */
  idIn(args: z.output<Input>): string | undefined;
  /** The ends that the arguments ask for. */
  ends(args: z.output<Input>): readonly ChangeAction[];
  /** Throws 404 and 403. */
  get(caller: Caller, id: string): Promise<Resource>;
  /** The end of a resource, and the position after it; undefined if it has not ended. */
  endOf(resource: Resource): (End & { eventId: string; cursor: string }) | undefined;
  /** Matches every position of one resource. */
  cursors: RegExp;
  /** What is published when a resource ends, if anything is. */
  topicOf?(id: string): string;
  /** Returns a function that says whether to read the resource again; without it, always. */
  changesOf?(id: string): () => Promise<boolean>;
  /** The milliseconds until a resource may end although nothing is published. */
  pollMs(resource: Resource): number | null;
  /** The payload of an end. The resource is missing if only its change was read. */
  payloadOf(caller: Caller, end: End, resource?: Resource): Promise<Record<string, unknown>>;
}

/** Declares the ends of resources of one kind: of the one that the arguments name, or of all in the feed. */
export function endedSource<Input extends z.ZodObject, Resource>(
  source: EndedSource<Input, Resource>,
): EventSource {
  const { kind, idIn, ends, get, endOf, payloadOf } = source;
  return eventSource<Input>({
    ...source,
    needsKey: (args) => idIn(args) === undefined,
    pulses: (watched) => pulsesOf(kind, watched, idIn),
    async start(caller, args) {
      const id = idIn(args);
      if (id === undefined) return textOf(await latestPosition());
      await get(caller, id);
      return NOT_ENDED;
    },
    async resume(caller, args, cursor) {
      if (idIn(args) === undefined) return resumeFeed(caller, cursor);
      return source.cursors.test(cursor) ? cursor : undefined;
    },
    async read(caller, args, cursor, { limit, wait }) {
      const id = idIn(args);
      if (id === undefined) {
        const filter = { kind: [kind.name], action: ends(args) };
        return readFeed(caller, filter, cursor, { limit, wait }, (one) =>
          payloadOf(caller, { id: one.resource_id, state: one.action, at: one.created_at }),
        );
      }
      let pollMs: number | null = null;
      const readPage = async (): Promise<OccurrencePage> => {
        const resource = await get(caller, id);
        pollMs = source.pollMs(resource);
        const end = endOf(resource);
        // After a retry that was read, the next end is a new event, even if the status is the same.
        const next = end?.cursor ?? cursor.replace(/_[a-z]+$/, "");
        const page = { cursor: next, hasMore: false };
        const isNews = end && next !== cursor && ends(args).some((one) => one === end.state);
        if (!isNews) return { ...page, events: [] };
        const data = await payloadOf(caller, end, resource);
        const { eventId, at } = end;
        return { ...page, events: [{ eventId, at, data, cursor: next }] };
      };
      // While it waits it keeps an empty page, not the resource, which may have megabytes.
      let page = await readPage();
      // A stream's key may have ended since the last read.
      if (wait && page.cursor !== cursor) await wait.credential.assertLive();
      else if (wait) {
        const hasChanged = source.changesOf?.(id);
        await waitAs([source.topicOf?.(id) ?? []].flat(), wait, async (retryIn) => {
          if (!hasChanged || (await hasChanged())) page = await readPage();
          retryIn(pollMs);
          return page.cursor !== cursor || undefined;
        });
      }
      return page;
    },
  });
}

/** Like `newestOf`, but the text of one that names a resource changes with that resource or its owner. */
async function pulsesOf<Arguments>(
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

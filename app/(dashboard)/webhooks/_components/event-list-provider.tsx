"use client";

import { createContext, type ReactNode, useContext, useState, useTransition } from "react";
import { countOf, PAGE_SIZE } from "@/app/(dashboard)/_shared/listing";
import type { EventLines } from "@/lib/webhooks/event-lines";

/** Each is 16 MB of bodies for the server to look through: so much is done without being asked. */
const AUTOMATIC_SEARCHES_MAX = 4;

interface EventListState {
  list: EventLines;
  /** The list begins with the newest event, so its total is its length. */
  isFirst: boolean;
  isFiltered: boolean;
  isReading: boolean;
  /** The last reading gave nothing. */
  hasFailed: boolean;
  /** A search has found next to nothing for so long that somebody must ask for more of it. */
  isSearchPaused: boolean;
  /** Adds the rows after the last one. */
  readMore(): void;
  /** The same, because somebody asked for it. */
  continueSearch(): void;
  /** Begins anew with the newest. */
  readNewest(): void;
}

interface Props {
  /** As the page read it. */
  first: EventLines;
  /** Where more is read. */
  rowsHref: string;
  isFirst: boolean;
  isFiltered: boolean;
  children: ReactNode;
}

const Context = createContext<EventListState | null>(null);

/** The events of a page's list, and what has been read beyond its first ones. */
export function EventListProvider({ first, rowsHref, isFirst, isFiltered, children }: Props) {
  const [known, setKnown] = useState(() => knownFrom(first));
  const [isReading, startReading] = useTransition();
  // The page was read anew, such as after a deletion: what was known may be gone.
  if (known.first !== first) setKnown(knownFrom(first));

  const { list, hasFailed, emptyReads } = known;
  const read = (query: Record<string, string>, emptyReadsBefore: number) =>
    startReading(async () => {
      const next = await readRows(rowsHref, query);
      setKnown((now) => {
        if (now.first !== first) return now;
        if (!next) return { ...now, hasFailed: true };
        if (query.after === undefined) return { ...knownFrom(first), list: next };
        // What has begun anew meanwhile does not go on here.
        if (now.list.next_cursor !== query.after) return now;
        const foundLittle = next.data.length < PAGE_SIZE;
        return {
          first,
          list: append(now.list, next),
          hasFailed: false,
          emptyReads: foundLittle ? emptyReadsBefore + 1 : 0,
        };
      });
    });
  const readNewest = () => read({ include: "total_count" }, 0);
  const readNext = (emptyReadsBefore: number) =>
    list.next_cursor ? read({ after: list.next_cursor }, emptyReadsBefore) : readNewest();
  const listed: EventListState = {
    list,
    isFirst,
    isFiltered,
    isReading,
    hasFailed,
    isSearchPaused: list.searched !== undefined && emptyReads >= AUTOMATIC_SEARCHES_MAX,
    readMore: () => readNext(emptyReads),
    continueSearch: () => readNext(0),
    readNewest,
  };
  return <Context value={listed}>{children}</Context>;
}

export function useEventList(): EventListState {
  const listed = useContext(Context);
  if (!listed) throw new Error("There is no list of events around this.");
  return listed;
}

/** One honest count of what has been read and what there is. */
export function EventCount() {
  return countOf(useEventList().list);
}

/** What is known when the page has just been read. `barren` readings in a row found next to nothing. */
function knownFrom(first: EventLines) {
  return { first, list: first, hasFailed: false, emptyReads: 0 };
}

function append(list: EventLines, next: EventLines): EventLines {
  return { ...list, ...next, data: [...list.data, ...next.data] };
}

async function readRows(
  href: string,
  query: Record<string, string>,
): Promise<EventLines | undefined> {
  const url = new URL(href, location.href);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  try {
    const answer = await fetch(url);
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}

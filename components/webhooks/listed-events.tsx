"use client";

import { createContext, type ReactNode, useContext, useState, useTransition } from "react";
import { countOf } from "@/app/listing";
import type { List } from "@/lib/http/list";
import type { EventLine } from "@/lib/webhooks/event-lines";

interface Listed {
  list: List<EventLine>;
  /** The list begins with the newest event, so its total is its length. */
  isFirst: boolean;
  isFiltered: boolean;
  isReading: boolean;
  /** The last reading gave nothing. */
  hasFailed: boolean;
  /** Adds the rows after the last one. */
  readMore(): void;
  /** Begins anew with the newest. */
  readNewest(): void;
}

interface Props {
  /** As the page read it. */
  first: List<EventLine>;
  /** Where more is read. */
  rowsHref: string;
  isFirst: boolean;
  isFiltered: boolean;
  children: ReactNode;
}

const Context = createContext<Listed | null>(null);

/** The events of a page's list, and what has been read beyond its first ones. */
export function ListedEvents({ first, rowsHref, isFirst, isFiltered, children }: Props) {
  const [known, setKnown] = useState({ first, list: first, hasFailed: false });
  const [isReading, startReading] = useTransition();
  // The page was read anew, such as after a deletion: what was known may be gone.
  if (known.first !== first) setKnown({ first, list: first, hasFailed: false });

  const { list, hasFailed } = known;
  const read = (query: Record<string, string>) =>
    startReading(async () => {
      const next = await readRows(rowsHref, query);
      setKnown((now) => {
        if (now.first !== first) return now;
        if (!next) return { ...now, hasFailed: true };
        if (query.after === undefined) return { first, list: next, hasFailed: false };
        // What has begun anew meanwhile does not go on here.
        if (now.list.next_cursor !== query.after) return now;
        return { first, list: joined(now.list, next), hasFailed: false };
      });
    });
  const readNewest = () => read({ include: "total_count" });
  const readMore = () => (list.next_cursor ? read({ after: list.next_cursor }) : readNewest());
  return (
    <Context value={{ list, isFirst, isFiltered, isReading, hasFailed, readMore, readNewest }}>
      {children}
    </Context>
  );
}

export function useListedEvents(): Listed {
  const listed = useContext(Context);
  if (!listed) throw new Error("There is no list of events around this.");
  return listed;
}

/** One honest count of what has been read and what there is. */
export function EventCount() {
  return countOf(useListedEvents().list);
}

function joined(list: List<EventLine>, next: List<EventLine>): List<EventLine> {
  return { ...list, ...next, data: [...list.data, ...next.data] };
}

async function readRows(
  href: string,
  query: Record<string, string>,
): Promise<List<EventLine> | undefined> {
  const url = new URL(href, location.href);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  try {
    const answer = await fetch(url);
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}

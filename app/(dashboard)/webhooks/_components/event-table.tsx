"use client";

import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import { NoMatches } from "@/components/ui/no-matches";
import { useHydrated } from "@/components/ui/use-hydrated";
import { usePoll } from "@/components/ui/use-poll";
import { isUnderWay } from "@/lib/resources/webhooks/forward/state";
import { useEventList } from "./event-list-provider";
import { EventRow } from "./event-row";
import { useRestoreFocus } from "./restore-focus";
import { useRowWindow } from "./row-window";

/** More rows are loaded when the last visible one is this close to the last loaded one. */
const AHEAD = 100;

interface Props {
  path: string;
  /** Query parameters preserved while an event is open. */
  kept: string;
  /** A link to the following rows, for use without scripts. */
  more: ReactNode;
  /** Shown until the first event. */
  empty: ReactNode;
}

/** Captured requests, newest first. Only the rows near the viewport are rendered. */
export function EventTable({ path, kept, more, empty }: Props) {
  const {
    list,
    isFirst,
    isFiltered,
    isReading,
    hasFailed,
    isSearchPaused,
    readMore,
    setForwarded,
  } = useEventList();
  const openId = usePathname().split("/events/")[1];
  const isHydrated = useHydrated();
  const body = useRef<HTMLTableSectionElement>(null);
  const { data } = list;
  const total = isFirst ? list.total_count : undefined;
  const count = list.has_more ? Math.max(total ?? 0, data.length) : data.length;
  const { rows, before, after, rowHeight, topOf } = useRowWindow(body, count);
  const { isSeeking, note } = useRestoreFocus({ body, openId, kept, topOf });
  const shown = isHydrated ? rows : data.map((_, index) => index);
  const isNearEnd = (shown.at(-1) ?? 0) + AHEAD >= data.length;
  const shouldReadMore = (isNearEnd || isSeeking) && list.has_more && !hasFailed && !isSearchPaused;

  useEffect(() => {
    if (shouldReadMore && !isReading) readMore();
  });

  const underWay = shown
    .flatMap((index) => data[index] ?? [])
    .filter(isUnderWay)
    .map(({ id }) => id);
  usePoll(
    underWay.length === 0 ? undefined : `${path}/forwarded?ids=${underWay.slice(0, 200).join(",")}`,
    (text) => {
      if (text !== null) setForwarded(JSON.parse(text));
    },
  );

  if (data.length === 0 && !list.has_more && !isFiltered && isFirst) return empty;
  return (
    <>
      {count === 0 && !list.has_more && <NoMatches noun="events" allHref={path} />}
      {count > 0 && (
        <table
          // Rows above the viewport are added and removed, so none may serve as a scroll anchor.
          className="list-table [overflow-anchor:none] [&_th]:static"
          aria-rowcount={total === undefined ? -1 : count + 1}
        >
          <thead>
            <tr>
              <th scope="col">Request</th>
              {/* As wide as their longest text, so that columns do not shift while scrolling. */}
              <th scope="col" className="min-w-22">
                Size
              </th>
              <th scope="col" aria-sort="descending" className="min-w-28 text-ink">
                Captured <span aria-hidden="true">↓</span>
              </th>
            </tr>
          </thead>
          <tbody ref={body}>
            {isHydrated && <Gap height={before} />}
            {shown.map((index) => {
              const line = data[index];
              return (
                <EventRow
                  key={line?.id ?? index}
                  line={line}
                  index={index}
                  height={rowHeight}
                  href={line && `${path}/events/${line.id}${kept}`}
                  isOpen={line !== undefined && line.id === openId}
                  onOpen={note}
                />
              );
            })}
            {isHydrated && <Gap height={after} />}
          </tbody>
        </table>
      )}
      <SearchedSoFar isHydrated={isHydrated} isBusy={isReading || shouldReadMore} />
      {!isHydrated && more}
      {hasFailed && (
        <p role="alert" className="px-4 py-4 text-failed sm:px-6">
          ! Could not load more events.{" "}
          <button type="button" onClick={readMore} className="button">
            Try again
          </button>
        </p>
      )}
    </>
  );
}

/** How far an unfinished search has got, with a button to continue. */
function SearchedSoFar({ isHydrated, isBusy }: { isHydrated: boolean; isBusy: boolean }) {
  const { list, isFirst, continueSearch } = useEventList();
  if (list.searched === undefined || !list.has_more) return null;
  const word = isFirst && list.data.length === 0 ? "Nothing" : "Nothing more";
  return (
    <div className="flex flex-wrap items-center gap-3 px-4 py-4 text-muted sm:px-6">
      <p role="status" className="tabular-nums">
        {`${word} in the newest ${list.searched.toLocaleString("en")} events.`}
      </p>
      {isHydrated && (
        <button
          type="button"
          onClick={() => !isBusy && continueSearch()}
          aria-disabled={isBusy}
          className="button"
        >
          Search older
        </button>
      )}
    </div>
  );
}

/** Empty space in place of rows that are not rendered. */
function Gap({ height }: { height: number }) {
  return (
    <tr data-gap={height > 0 ? "" : undefined} className="border-0! p-0!" style={{ height }}>
      <td colSpan={3} className="h-auto! border-0! p-0!" />
    </tr>
  );
}

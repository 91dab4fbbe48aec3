"use client";

import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import { useRowWindow } from "@/components/ui/row-window";
import { useIsLive } from "@/components/ui/use-is-live";
import { EventRow } from "./event-row";
import { useListedEvents } from "./listed-events";

/** So many rows before the end of what has been read, more is read. */
const AHEAD = 100;

interface Props {
  /** The address of an event, up to its ID. */
  openBase: string;
  /** What stays in the address when an event is opened. */
  kept: string;
  /** Without scripts, a link to the rows that follow. */
  more: ReactNode;
  /** What an endpoint shows that never got a request. */
  empty: ReactNode;
}

/** Captured requests, newest first. Only the rows near the screen are in the page. */
export function EventTable({ openBase, kept, more, empty }: Props) {
  const { list, isFirst, isFiltered, isReading, hasFailed, readMore } = useListedEvents();
  const openId = usePathname().split("/events/")[1];
  const isLive = useIsLive();
  const body = useRef<HTMLTableSectionElement>(null);
  const { data } = list;
  const total = isFirst ? list.total_count : undefined;
  const count = list.has_more ? Math.max(total ?? 0, data.length) : data.length;
  const { rows, before, after, rowHeight } = useRowWindow(body, count);
  const shown = isLive ? rows : data.map((_, index) => index);
  const isNearEnd = (shown.at(-1) ?? 0) + AHEAD >= data.length;

  useEffect(() => {
    if (isNearEnd && list.has_more && !isReading && !hasFailed) readMore();
  });

  if (data.length === 0 && !list.has_more && !isFiltered && isFirst) return empty;
  return (
    <>
      {count === 0 && (
        <p className="px-4 py-10 text-muted sm:px-6">
          {list.has_more
            ? "None yet; there are more to look through."
            : "No event passes these filters."}
        </p>
      )}
      {count > 0 && (
        <table
          className="list-table [&_th]:static"
          aria-rowcount={total === undefined ? -1 : count + 1}
        >
          <thead>
            <tr>
              <th scope="col">Request</th>
              {/* As wide as their longest words: columns do not move while rows come and go. */}
              <th scope="col" className="min-w-22">
                Size
              </th>
              <th scope="col" className="min-w-28">
                Captured
              </th>
            </tr>
          </thead>
          <tbody ref={body}>
            {isLive && <Gap height={before} />}
            {shown.map((index) => {
              const line = data[index];
              return (
                <EventRow
                  key={line?.id ?? index}
                  line={line}
                  index={index}
                  height={rowHeight}
                  href={line && `${openBase}${line.id}${kept}`}
                  isOpen={line !== undefined && line.id === openId}
                />
              );
            })}
            {isLive && <Gap height={after} />}
          </tbody>
        </table>
      )}
      {!isLive && more}
      {hasFailed && (
        <p role="alert" className="px-4 py-4 text-failed sm:px-6">
          ! The next events could not be read.{" "}
          <button type="button" onClick={readMore} className="button">
            Try again
          </button>
        </p>
      )}
    </>
  );
}

/** The rows that are not in the page, as empty room. */
function Gap({ height }: { height: number }) {
  return (
    <tr className="border-0! p-0!" style={{ height }}>
      <td colSpan={3} className="h-auto! border-0! p-0!" />
    </tr>
  );
}

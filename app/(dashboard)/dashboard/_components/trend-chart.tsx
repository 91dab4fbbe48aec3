"use client";

import { useState } from "react";
import { MONTHS, zoneLabel } from "@/components/ui/relative-time";
import { useTimeZone } from "@/components/ui/time";
import { localTime } from "@/lib/api/forms/local-time";
import type { Chart, Look, Shown } from "../draw-trends";
import { HEIGHT, rangeNames } from "./chart-frame";

type Props = Pick<Shown, "range" | "since" | "step"> & { chart: Chart };

const LOOKS: Record<Look, string> = {
  bar: "fill-line-strong/40",
  failed: "fill-failed",
  area: "fill-accent/12",
  line: "fill-none stroke-accent stroke-[1.5px]",
  "quiet-line": "fill-none stroke-accent/60 stroke-1",
};

/** A chart over time, in which the pointer, the arrow keys or a finger select a bar. Screen readers get a table. */
export function TrendChart({ chart, range, since, step }: Props) {
  const { name, paths, top, empty, values } = chart;
  const isDaily = step >= 86_400;
  const local = useTimeZone();
  // A bar is a day of UTC.
  const zone = isDaily ? "UTC" : local;
  const [chosen, choose] = useState<number | null>(null);
  const last = values.length - 1;
  const startOf = (index: number) => since + index * step;
  const timeOf = (index: number) => {
    const time = localTime(startOf(index), zone);
    const date = `${time.slice(8, 10)} ${MONTHS[Number(time.slice(5, 7)) - 1]}`;
    if (isDaily) return `${date} UTC`;
    return `${range === "24h" ? "" : `${date} `}${time.slice(11, 16)}`;
  };
  const spanOf = (index: number) =>
    isDaily
      ? timeOf(index)
      : `${timeOf(index)} to ${localTime(startOf(index + 1), zone).slice(11, 16)} ${zoneLabel(startOf(index), zone)}`;
  return (
    <div className="relative z-1 mt-1">
      <div className="relative rounded-xs focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent">
        <svg
          viewBox={`0 0 ${values.length} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="block h-12 w-full overflow-visible border-b border-line-strong/50"
          aria-hidden="true"
        >
          {chosen !== null && (
            <rect x={chosen} width="1" height={HEIGHT} className="fill-line/70" />
          )}
          {paths.map(
            ({ look, d }) =>
              d !== "" && (
                <path
                  key={look}
                  d={d}
                  className={LOOKS[look]}
                  strokeLinecap="round"
                  strokeLinejoin="round"
                  vectorEffect="non-scaling-stroke"
                />
              ),
          )}
        </svg>
        <input
          type="range"
          min="0"
          max={last}
          value={chosen ?? last}
          aria-label={`${name} over time`}
          aria-valuetext={`${spanOf(chosen ?? last)}: ${values[chosen ?? last]}`}
          onChange={(event) => choose(Number(event.currentTarget.value))}
          onFocus={() => choose(chosen ?? last)}
          onBlur={() => choose(null)}
          onPointerMove={({ clientX, currentTarget }) => {
            const { left, width } = currentTarget.getBoundingClientRect();
            const bar = Math.floor(((clientX - left) / width) * values.length);
            choose(Math.min(Math.max(bar, 0), last));
          }}
          onPointerLeave={() => choose(null)}
          className="absolute inset-0 size-full cursor-crosshair opacity-0"
        />
      </div>
      <p
        aria-hidden="true"
        className="mt-0.5 flex justify-between gap-2 text-small whitespace-nowrap text-muted tabular-nums"
      >
        {chosen !== null ? (
          <>
            <span>{spanOf(chosen)}</span>
            <span className="truncate text-ink">{values[chosen]}</span>
          </>
        ) : top === null ? (
          <span className="truncate">{empty}</span>
        ) : (
          <>
            <span>{timeOf(0)}</span>
            <span>peak {top}</span>
            <span>now</span>
          </>
        )}
      </p>
      {/* A table itself cannot be clipped. */}
      <div className="sr-only">
        <table>
          <caption>
            {name}, {rangeNames[range].toLowerCase()}
          </caption>
          <tbody>
            {values.map((value, index) => (
              <tr key={startOf(index)}>
                <th scope="row">{spanOf(index)}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

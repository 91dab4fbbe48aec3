"use client";

import { useState } from "react";
import { zoneLabel } from "@/components/ui/relative-time";
import { useTimeZone } from "@/components/ui/time-zone";
import { localTime } from "@/lib/api/forms/local-time";

const HEIGHT = 32;
/** Nonzero values stay visible beside a high peak. */
const BAR_MIN = 2;
/** A fraction of an hour's width; the rest is space on both sides. */
const BAR_WIDTH = 0.8;
const HOUR_SECONDS = 3600;

interface Props {
  /** The name of what is counted, such as "captured". */
  name: string;
  /** When the first hour started, in Unix seconds. */
  since: number;
  /** One number for each hour. */
  values: number[];
  /** The colour of the bars, as a text colour. */
  colour: string;
}

/**
 * The numbers of successive hours, as bars over a baseline. The pointer, the arrow keys or a finger
 * select an hour to read in the line below. Screen readers get a table.
 */
export function HourChart({ name, since, values, colour }: Props) {
  const zone = useTimeZone();
  const [chosen, choose] = useState<number | null>(null);
  const peak = Math.max(...values, 0);
  const last = values.length - 1;
  const height = (value: number) => Math.max((value / peak) * (HEIGHT - BAR_MIN), BAR_MIN);
  const startOf = (index: number) => since + index * HOUR_SECONDS;
  const hourOf = (index: number) => localTime(startOf(index), zone).slice(11, 16);
  const zoneAt = (index: number) => zoneLabel(startOf(index), zone);
  const spanOf = (index: number) => `${hourOf(index)} to ${hourOf(index + 1)} ${zoneAt(index)}`;
  return (
    <div className="relative z-1 mt-2">
      <div className="relative rounded-xs focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent">
        <svg
          viewBox={`0 0 ${values.length} ${HEIGHT}`}
          preserveAspectRatio="none"
          fill="currentColor"
          className={`block h-8 w-full border-b border-line-strong/50 ${colour}`}
          aria-hidden="true"
        >
          {chosen !== null && (
            <rect x={chosen} width="1" height={HEIGHT} className="fill-line/70" />
          )}
          {values.map(
            (value, hour) =>
              value > 0 && (
                <rect
                  key={startOf(hour)}
                  x={hour + (1 - BAR_WIDTH) / 2}
                  y={HEIGHT - height(value)}
                  width={BAR_WIDTH}
                  height={HEIGHT}
                  fill="currentColor"
                />
              ),
          )}
        </svg>
        <input
          type="range"
          min="0"
          max={last}
          value={chosen ?? last}
          aria-label={`${name}, hour by hour`}
          aria-valuetext={`${spanOf(chosen ?? last)}: ${values[chosen ?? last]}`}
          onChange={(event) => choose(Number(event.currentTarget.value))}
          onFocus={() => choose(chosen ?? last)}
          onBlur={() => choose(null)}
          onPointerMove={({ clientX, currentTarget }) => {
            const { left, width } = currentTarget.getBoundingClientRect();
            const hour = Math.floor(((clientX - left) / width) * values.length);
            choose(Math.min(Math.max(hour, 0), last));
          }}
          onPointerLeave={() => choose(null)}
          className="absolute inset-0 size-full cursor-crosshair opacity-0"
        />
      </div>
      <p
        aria-hidden="true"
        className="mt-0.5 flex justify-between gap-2 text-small whitespace-nowrap text-muted tabular-nums"
      >
        {chosen === null ? (
          <>
            <span>
              {hourOf(0)} {zoneAt(0)}
            </span>
            {peak > 0 && (
              <span>
                peak {peak.toLocaleString("en")}
                <span className="max-sm:hidden"> an hour</span>
              </span>
            )}
          </>
        ) : (
          <>
            <span>
              {hourOf(chosen)}–{hourOf(chosen + 1)} {zoneAt(chosen)}
            </span>
            <span className="text-ink">{values[chosen]?.toLocaleString("en")}</span>
          </>
        )}
      </p>
      {/* A table itself cannot be clipped. */}
      <div className="sr-only">
        <table>
          <caption>{name} in each of the last 24 hours</caption>
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

import { scaleBand, scaleLinear } from "d3-scale";
import { area, curveMonotoneX, line } from "d3-shape";
import { counted } from "@/lib/platform/counted";
import type { LiveOverview } from "@/lib/resources/overview/service";
import type { Bar, Range, Trends } from "@/lib/resources/overview/trends";

import { HEIGHT } from "./_components/chart-frame";

/** Nonzero values stay visible beside a high peak. */
const BAR_MIN = 1.5;

export type Look = "bar" | "failed" | "line" | "quiet-line" | "area";

/** A chart as paths, with the words for each of its bars. */
export interface Chart {
  name: string;
  href: string;
  /** The figure of the whole time. */
  figure: string;
  note: string;
  isFailing?: boolean;
  paths: { look: Look; d: string }[];
  /** The highest value; null without anything to show. */
  top: string | null;
  /** What to do to see something here. */
  empty: string;
  values: string[];
}

/** The parts of the overview that update in place, as the page shows them. */
export interface Shown extends Pick<LiveOverview, "oldest" | "dispatch" | "version"> {
  range: Range;
  since: number;
  step: number;
  charts: Chart[];
}

/** Draws the charts, so that the browser need not. */
export function drawn({ trends, ...rest }: LiveOverview): Shown {
  const { range, since, step } = trends;
  const charts = [captured(trends), delivered(trends), latency(trends), waiting(trends)];
  return { ...rest, range, since, step, charts };
}

function captured({ bars, total }: Trends): Chart {
  const peak = peakOf(bars.map((bar) => bar.captured));
  return {
    name: "Captured",
    href: "/webhooks",
    figure: count(total.captured),
    note: total.captured === 1 ? "request" : "requests",
    paths: [
      stacked(
        "bar",
        bars.map((bar) => [0, bar.captured]),
        peak,
      ),
    ],
    top: peak > 0 ? count(peak) : null,
    empty: "Send a request to an endpoint's URL.",
    values: bars.map((bar) => count(bar.captured)),
  };
}

function delivered({ bars, total }: Trends): Chart {
  const peak = peakOf(bars.map((bar) => bar.delivered + bar.failed));
  const sent = total.delivered + total.failed;
  const y = scaleLinear([0, 1], [HEIGHT, 1]);
  const share = line<Bar>(middle, (bar) => y(shareOf(bar) ?? 0))
    .defined((bar) => shareOf(bar) !== null)
    .digits(2);
  return {
    name: "Delivered",
    href: total.failed > 0 ? "/messages?status=failed" : "/messages?status=delivered",
    figure: percent(total),
    note:
      sent === 0 ? "nothing sent" : `of ${counted(sent, "attempt")}, ${count(total.failed)} failed`,
    isFailing: total.failed > 0,
    paths: [
      stacked(
        "bar",
        bars.map((bar) => [0, bar.delivered]),
        peak,
      ),
      stacked(
        "failed",
        bars.map((bar) => [bar.delivered, bar.delivered + bar.failed]),
        peak,
      ),
      { look: "line", d: share(bars) ?? "" },
    ],
    top: peak > 0 ? count(peak) : null,
    empty: "Schedule a message, or forward events.",
    values: bars.map((bar) =>
      bar.delivered + bar.failed === 0
        ? "nothing sent"
        : `${percent(bar)} of ${count(bar.delivered + bar.failed)}, ${count(bar.failed)} failed`,
    ),
  };
}

function latency({ bars, total }: Trends): Chart {
  const peak = peakOf(bars.map((bar) => bar.p95 ?? 0));
  const y = scaleLinear([0, peak || 1], [HEIGHT, 1]);
  const isKnown = (bar: Bar) => bar.p95 !== null;
  const of = (key: "p50" | "p95") =>
    line<Bar>(middle, (bar) => y(bar[key] ?? 0))
      .defined(isKnown)
      .curve(curveMonotoneX)
      .digits(2)(bars) ?? "";
  const between = area<Bar>(
    middle,
    (bar) => y(bar.p50 ?? 0),
    (bar) => y(bar.p95 ?? 0),
  )
    .defined(isKnown)
    .curve(curveMonotoneX)
    .digits(2)(bars);
  return {
    name: "Latency",
    href: "/messages",
    figure: total.p95 === null ? "–" : duration(total.p95),
    note: total.p50 === null ? "no answer yet" : `p95, and p50 ${duration(total.p50)}`,
    paths: [
      { look: "area", d: between ?? "" },
      { look: "quiet-line", d: of("p50") },
      { look: "line", d: of("p95") },
    ],
    top: peak > 0 ? duration(peak) : null,
    empty: "The time that targets take to answer.",
    values: bars.map(({ p50, p95 }) =>
      p50 === null || p95 === null ? "no answer" : `p50 ${duration(p50)}, p95 ${duration(p95)}`,
    ),
  };
}

function waiting({ bars, total }: Trends): Chart {
  const peak = peakOf(bars.map((bar) => bar.waiting ?? 0));
  const y = scaleLinear([0, peak || 1], [HEIGHT, 1]);
  const isKnown = (bar: Bar) => bar.waiting !== null;
  const over = (bar: Bar) => y(bar.waiting ?? 0);
  return {
    name: "Waiting in inboxes",
    href: "/inboxes",
    figure: count(total.waiting ?? 0),
    note: "now",
    paths: [
      { look: "area", d: area<Bar>(middle, HEIGHT, over).defined(isKnown).digits(2)(bars) ?? "" },
      { look: "line", d: line<Bar>(middle, over).defined(isKnown).digits(2)(bars) ?? "" },
    ],
    top: peak > 0 ? count(peak) : null,
    empty: "Send an event to an inbox.",
    values: bars.map((bar) => (bar.waiting === null ? "not known" : count(bar.waiting))),
  };
}

function middle(_bar: Bar, index: number): number {
  return index + 0.5;
}

/** One path for all bars, each from a value to a higher one. */
function stacked(look: Look, spans: [number, number][], peak: number): Chart["paths"][number] {
  const x = scaleBand([...spans.keys()], [0, spans.length]).padding(0.2);
  const y = scaleLinear([0, peak || 1], [HEIGHT, 0]);
  const width = x.bandwidth();
  const bars = spans.map(([from, to], index) => {
    if (to <= from) return "";
    const height = Math.max(y(from) - y(to), BAR_MIN);
    return `M${round(x(index) ?? 0)} ${round(y(from))}h${round(width)}v${round(-height)}h${round(-width)}z`;
  });
  return { look, d: bars.join("") };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function peakOf(values: number[]): number {
  return Math.max(...values, 0);
}

function shareOf({ delivered: arrived, failed }: Bar): number | null {
  return arrived + failed === 0 ? null : arrived / (arrived + failed);
}

/** Never 100% while something failed, nor 0% while something arrived. */
function percent(bar: Bar): string {
  const share = shareOf(bar);
  if (share === null) return "–";
  const rounded = Math.round(share * 1000) / 10;
  if (rounded === 100 && bar.failed > 0) return "99.9%";
  if (rounded === 0 && bar.delivered > 0) return "0.1%";
  return `${rounded}%`;
}

function count(value: number): string {
  return value.toLocaleString("en");
}

function duration(milliseconds: number): string {
  return milliseconds < 1000
    ? `${milliseconds} ms`
    : `${Number((milliseconds / 1000).toPrecision(2))} s`;
}

import { environment } from "@/lib/platform/config/environment";
import { wordList } from "@/lib/platform/http/issue-message";
import { limits } from "@/lib/upkeep/limits/service";
import { others, presetOf } from "./figure-list";

/** Divisors to other units from the one that a figure is stored in, with which its name ends. */
const UNITS: Record<string, number> = {
  seconds: 1000, // of milliseconds, as all others are of seconds, bytes or a fraction
  minutes: 60,
  hours: 3600,
  days: 86_400,
  kB: 1000,
  KiB: 1024,
  MB: 1_000_000,
  GB: 1_000_000_000,
  percent: 0.01,
};

/** As `stated()` writes it: 6.5, 1200 or 10 000. */
const FIGURE = String.raw`(?:\d{2,3}(?: \d{3})+|\d(?: \d{3}){2,}|\d+(?:\.\d+)?)`;
/** A figure, or a list of them, and the comment that names it. */
const NAMED = new RegExp(
  String.raw`((?:${FIGURE}, )*(?:${FIGURE} and )?${FIGURE})?<!-- ([\w.]+)(?: in (\w+))? -->`,
  "g",
);

/**
 * A document with the figures of the code. Each stands before a comment that names it: an address in
 * `/api/limits`, an environment variable for its default, or one of the others above.
 */
export function withFigures(text: string): string {
  return text.replace(NAMED, (all, figure: string | undefined, name: string, unit?: string) => {
    if (figure === undefined && figureAt(name) === undefined) return all; // a comment of another kind
    if (figure === undefined) throw new Error(`There is no figure before ${all}.`);
    return `${stated(name, unit)}${all.slice(figure.length)}`;
  });
}

function stated(name: string, unit: string | undefined): string {
  const figures = [figureAt(name)].flat().map((value) => {
    if (typeof value !== "number") throw new Error(`There is no figure ${name}.`);
    return spaced(unit === undefined ? value : value / divisorOf(name, unit));
  });
  return wordList(figures, "and");
}

function figureAt(name: string): unknown {
  if (name in environment) return presetOf(name as keyof typeof environment);
  const start = Object.keys(others).find((key) => `${name}.`.startsWith(`${key}.`)) ?? "";
  const found = start === "" ? limits() : others[start];
  const parts = name.slice(start.length).split(".").filter(Boolean);
  return parts.reduce<unknown>((value, part) => Object(value)[part], found);
}

function divisorOf(name: string, unit: string): number {
  const divisor = unit === "minutes" && name.includes("_ms") ? 60_000 : UNITS[unit];
  if (divisor === undefined) throw new Error(`There is no unit ${unit}.`);
  return divisor;
}

/** 1000000 as `1 000 000`; up to four digits stay together. */
function spaced(figure: number): string {
  return figure < 10_000 ? String(figure) : figure.toLocaleString("en").replaceAll(",", " ");
}

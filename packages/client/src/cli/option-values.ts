import { InvalidArgumentError, Option } from "commander";

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 };

/** The seconds of a duration such as `90s`, `10m`, `1h30m` or `2d`. A plain number is seconds. */
export function parseDuration(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const parts = [...text.matchAll(/(\d{1,9})([smhd])/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) {
    throw new InvalidArgumentError("Write a duration such as 90s, 10m, 2h or 1h30m.");
  }
  return parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * SECONDS[unit as keyof typeof SECONDS],
    0,
  );
}

/** An option with a duration, such as its default `preset`. */
export function durationOption(flags: string, description: string, preset: string): Option {
  const seconds = parseDuration(preset);
  return new Option(flags, description).argParser(parseDuration).default(seconds, preset);
}

/** The milliseconds of a timer, within the maximum: a longer timer would fire at once. */
export function timerMs(seconds: number): number {
  return Math.min(seconds * 1000, 2 ** 31 - 1);
}

/** Unix seconds of a time: `2026-01-31T12:00Z`, a local `2026-01-31 12:00`, or Unix seconds. */
export function parseTime(text: string): number {
  const seconds = /^\d{1,12}$/.test(text) ? Number(text) : Math.floor(Date.parse(text) / 1000);
  if (Number.isFinite(seconds)) return seconds;
  throw new InvalidArgumentError("Write a time such as 2026-01-31T12:00Z, or Unix seconds.");
}

/** A whole number from 1. */
export function parseCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Write a whole number of at least 1.");
}

/** A JSON object. */
export function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // The error below says it.
  }
  throw new InvalidArgumentError("Write a JSON object.");
}

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof METHODS)[number];

/** An HTTP method in any case. */
export function parseMethod(text: string): Method {
  const method = METHODS.find((one) => one === text.toUpperCase());
  if (method) return method;
  throw new InvalidArgumentError("Use GET, POST, PUT, PATCH or DELETE.");
}

/** Adds a value to those of a repeatable option. */
export function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

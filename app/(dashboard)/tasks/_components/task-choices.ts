import { capitalized } from "@/components/ui/label-of";
import { shortTime } from "@/components/ui/relative-time";
import { instantAt, localTime } from "@/lib/api/forms/local-time";
import { labelsChangeTo, progresses } from "@/lib/resources/tasks/progress";
import type { TasksChange } from "../bulk-actions";
import { isProgressLabel, progressLabel } from "./task-badges";

/** The properties that shortcuts and the selection bar can change. */
export type Kind = "progress" | "priority" | "label" | "due_at";

export interface Choice {
  name: string;
  /** The label that it adds or removes. */
  label?: string;
  hint?: string;
  /** What was done, if not the name. */
  done?: string;
  change: Omit<TasksChange, "ids">;
}

const DAY = 86_400;
const PRIORITIES = ["critical", "high", "medium", "low"] as const;

/** The values to choose from; `tasks` are the labels of each task that will change. */
export function choicesOf(
  kind: Kind,
  labels: readonly string[],
  tasks: readonly string[][],
  zone: string,
): Choice[] {
  if (kind === "progress") {
    return progresses.map((progress) => ({
      name: progressLabel(progress),
      change: { labels: labelsChangeTo(progress) },
    }));
  }
  if (kind === "priority") {
    return PRIORITIES.map((priority) => ({
      name: capitalized(priority),
      change: { priority },
    }));
  }
  if (kind === "label") {
    const others = labels.filter((label) => !isProgressLabel(label));
    const present = new Set(tasks.flat());
    return [
      ...others.filter((label) => tasks.some((task) => !task.includes(label))).map(additionOf),
      ...others.filter((label) => present.has(label)).map(removalOf),
    ];
  }
  const now = Date.now() / 1000;
  const evening = (days: number) =>
    instantAt(`${localTime(now + days * DAY, zone).slice(0, 10)}T18:00`, zone) ?? now;
  const dates: [name: string, unix: number][] = [
    ["Today", evening(0)],
    ["Tomorrow", evening(1)],
    ["In a week", evening(7)],
    ["In four weeks", evening(28)],
  ];
  return [
    ...dates
      .filter(([, unix]) => unix > now)
      .map(([name, due_at]) => ({
        name,
        hint: shortTime(due_at, zone, now) ?? "",
        change: { due_at },
      })),
    { name: "No due date", change: { due_at: null } },
  ];
}

function additionOf(label: string): Choice {
  const change = { labels: { add: [label] } };
  return { name: `Add ${label}`, label, done: `label ${label} added`, change };
}

function removalOf(label: string): Choice {
  const change = { labels: { remove: [label] } };
  return { name: `Remove ${label}`, label, done: `label ${label} removed`, change };
}

/** The typed value: a new label, or a date in the time zone. */
export function typedChoice(
  kind: Kind,
  words: string,
  labels: readonly string[],
  zone: string,
): Choice | undefined {
  if (kind === "label" && words !== "" && words.length <= 100 && !labels.includes(words)) {
    return { ...additionOf(words), name: `New label “${words}”` };
  }
  if (kind !== "due_at") return undefined;
  const [, day = "", hour = "18", minute = "00"] = TYPED_DATE.exec(words.toLowerCase()) ?? [];
  const date = dateOf(day, zone);
  const time = `${hour.padStart(2, "0")}:${minute}`;
  const due_at = date === undefined ? undefined : instantAt(`${date}T${time}`, zone);
  return due_at === undefined
    ? undefined
    : { name: `${date} ${time}`, hint: zone, change: { due_at } };
}

/** "2026-12-24 17:00", "tomorrow 9", "fri", "in 3 days 8:30". */
const TYPED_DATE =
  /^(\d{4}-\d\d-\d\d|today|tomorrow|[a-z]{3,9}|in \d{1,3} days?)(?:[ t](\d{1,2})(?::(\d\d))?)?$/;
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** The date of a day in words, in the time zone; a weekday is the next one after today. */
function dateOf(day: string, zone: string): string | undefined {
  if (/^\d{4}/.test(day)) return day;
  const today = localTime(Date.now() / 1000, zone).slice(0, 10);
  const noon = Date.parse(`${today}T12:00Z`) / 1000;
  const weekday = day.length < 3 ? -1 : WEEKDAYS.findIndex((name) => name.startsWith(day));
  const ahead = (weekday - new Date(noon * 1000).getUTCDay() + 7) % 7 || 7;
  const days = { today: 0, tomorrow: 1 }[day] ?? /^in (\d+)/.exec(day)?.[1];
  if (days === undefined && weekday === -1) return undefined;
  return localTime(noon + Number(days ?? ahead) * DAY, "UTC").slice(0, 10);
}

import type { TheirField } from "@/components/ui/form-error-message";
import { localTime } from "@/lib/api/forms/local-time";
import { entityTag } from "@/lib/platform/http/conditional";
import { differenceOf, type Line } from "@/lib/resources/artifacts/difference";
import { isTimezone } from "@/lib/resources/schedules/timing";
import { instantOf, isChanged, textField } from "./form-fields";

/** The fields of a form that others have changed since it opened, with the resource as the form shows it. */
export function theirFields(data: FormData, theirs: object): TheirField[] {
  const shown = new Map<string, unknown>(Object.entries(theirs));
  // A form may repeat a field as often as it likes.
  return [...new Set(data.keys())].flatMap((key) => theirField(data, key, shown) ?? []);
}

/** The field whose shown value this key of the form has, if they have changed it. */
function theirField(
  data: FormData,
  key: string,
  theirs: Map<string, unknown>,
): TheirField | undefined {
  if (key === "labels_shown") {
    const labels = theirs.get("labels");
    if (!Array.isArray(labels) || JSON.stringify(labels) === data.get(key)) return undefined;
    return { name: "labels", value: labels.join(", "), isTakeable: false };
  }
  const instant = /^(\w+)_before$/.exec(key)?.[1];
  if (instant !== undefined) {
    const unix = theirs.get(instant);
    if (unix !== null && typeof unix !== "number") return undefined;
    const before = instantOf(data, instant, textField(data, key));
    const given = textField(data, `${instant}_zone`);
    const zone = isTimezone(given) ? given : "UTC";
    const shown = (time: number | null) =>
      localTime(time, zone).slice(0, textField(data, key).length || 16);
    if (shown(unix) === shown(before)) return undefined;
    return { name: instant, value: shown(unix), isTakeable: isChanged(data, instant) };
  }
  const name = /^shown_(.+)$/.exec(key)?.[1];
  if (name === undefined || !theirs.has(name)) return undefined;
  const value = String(theirs.get(name) ?? "").replaceAll(/\r\n?/g, "\n");
  // An `<input>` has shown it in one line.
  const tags = [value, value.replaceAll("\n", "")].map((text) => entityTag(text));
  if (tags.includes(textField(data, key))) return undefined;
  const lines = linesFrom(value, textField(data, name));
  return {
    name,
    value: value.slice(0, SHOWN_MAX),
    isTakeable: value.length <= SHOWN_MAX && isChanged(data, name),
    ...(lines && { lines }),
  };
}

const SHOWN_MAX = 10_000;
const LINES_SHOWN = 200;

/** What differs between texts of several lines; undefined if it is nothing or too much. */
function linesFrom(theirs: string, mine: string): Line[] | undefined {
  if (!theirs.includes("\n") && !mine.includes("\n")) return undefined;
  const lines = differenceOf(theirs, mine)?.groups.flat() ?? [];
  return lines.length > 0 && lines.length <= LINES_SHOWN ? lines : undefined;
}

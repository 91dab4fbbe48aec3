import { readIfAllowed } from "@/app/_shared/resources";
import { visitor } from "@/app/_shared/session";
import type { FormError, TheirField } from "@/components/ui/form-error-message";
import { localTime } from "@/lib/api/forms/local-time";
import { ApiError } from "@/lib/platform/errors";
import { entityTag } from "@/lib/platform/http/conditional";
import { differenceOf, type Line } from "@/lib/resources/artifacts/difference";
import { stableTag } from "@/lib/resources/version";
import { instantOf, isChanged, textField } from "./form-fields";

/**
 * What a form shows when somebody has changed the resource since it opened: the fields that now look
 * different, with `shownOf` as the form shows a resource. Throws any other error again, and this one
 * if the resource is gone.
 */
export async function conflictIn<Resource extends object>(
  error: unknown,
  data: FormData,
  shownOf: (resource: Resource) => object = (resource) => resource,
): Promise<FormError> {
  if (!(error instanceof ApiError) || error.code !== "precondition_failed") throw error;
  const { caller } = await visitor();
  const theirs = await readIfAllowed(caller, textField(data, "id"));
  if (!theirs) throw error;
  const shown = new Map<string, unknown>(Object.entries(shownOf(theirs as Resource)));
  const fields = [...data.keys()].flatMap((key) => theirField(data, key, shown) ?? []);
  return {
    message: "Someone else has changed this.",
    param: "tag",
    theirs: { tag: stableTag(theirs), fields },
  };
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
    const unix = theirs.get(instant) as number | null;
    const before = instantOf(data, instant, textField(data, key));
    const zone = textField(data, `${instant}_zone`) || "UTC";
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

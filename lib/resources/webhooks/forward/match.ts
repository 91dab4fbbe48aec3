import * as z from "zod";
import { textProblem } from "@/lib/platform/http/fields";

export const CONDITIONS_MAX = 10;
const NAME_CHARACTERS_MAX = 200;
const VALUE_CHARACTERS_MAX = 500;

/** What a condition wants of a header or of a value in the body. */
export const matchValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);
type Value = z.infer<typeof matchValue>;

/** Keyed by header name or, with a leading `$`, by JSON path. */
export type MatchConditions = Record<string, Value>;

/** Not a `z.record`, which skips a key named `__proto__`. */
export const matchConditions = z
  .unknown()
  .check((context) => {
    for (const { path, message } of problems(context.value)) {
      context.issues.push({ code: "custom", path, message, input: context.value });
    }
  })
  // Guaranteed by the check above.
  .transform((value) =>
    Object.fromEntries(
      Object.entries(value as MatchConditions).map(([name, wanted]) => [comparable(name), wanted]),
    ),
  )
  .meta({ type: "object", maxProperties: CONDITIONS_MAX });

/** Header names are compared in lower case. */
function comparable(name: string): string {
  return isPath(name) ? name : name.toLowerCase();
}

/** Whether a condition reads the body. */
export function isPath(name: string): boolean {
  return name.startsWith("$");
}

/**
 * Whether a request matches all values. Its headers have names in lower case. `json` is called only for
 * conditions on the body; it returns undefined if the body is not JSON.
 */
export function matches(
  conditions: MatchConditions,
  request: { headers: Iterable<[string, string]>; json(): unknown },
): boolean {
  return Object.entries(conditions).every(([name, wanted]) =>
    isPath(name)
      ? valueAt(request.json(), stepsOf(name) ?? []) === wanted
      : hasHeader(request.headers, name, wanted),
  );
}

/** Whether a header has this value, alone or in a list. Repeated headers are joined, as in a recorded event. */
function hasHeader(headers: Iterable<[string, string]>, name: string, wanted: Value): boolean {
  const values = Array.from(headers).flatMap(([one, value]) => (one === name ? [value] : []));
  const all = values.join(", ");
  return (
    values.length > 0 && (all === wanted || all.split(",").some((one) => one.trim() === wanted))
  );
}

function problems(given: unknown): { path: string[]; message: string }[] {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return [{ path: [], message: "must be an object of header names or JSON paths" }];
  }
  const entries = Object.entries(given);
  if (entries.length === 0 || entries.length > CONDITIONS_MAX) {
    return [{ path: [], message: `must have 1 to ${CONDITIONS_MAX} conditions` }];
  }
  const names = new Set<string>();
  return entries.flatMap(([name, value]) => {
    const message = names.has(comparable(name))
      ? "appears twice: header names are not case-sensitive"
      : problemOf(name, value);
    names.add(comparable(name));
    return message === undefined ? [] : [{ path: [name], message }];
  });
}

function problemOf(name: string, value: unknown): string | undefined {
  const nameProblem = textProblem(name, 0, NAME_CHARACTERS_MAX);
  if (nameProblem) return `has an invalid name: it ${nameProblem}`;
  if (isPath(name)) {
    if (stepsOf(name) === undefined) return "is not a JSON path such as $.data.items[0]['a.b']";
    const isScalar = value === null || ["string", "number", "boolean"].includes(typeof value);
    if (!isScalar) return "must be a string, a number, a boolean or null";
  } else {
    if (!HEADER_NAME.test(name))
      return "is neither a header name nor a JSON path, which begins with $";
    if (typeof value !== "string") return "must be a string";
  }
  return typeof value === "string" ? textProblem(value, 0, VALUE_CHARACTERS_MAX) : undefined;
}

const HEADER_NAME = /^[!#%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * The steps of a JSON path that selects a single value (RFC 9535 §2.3.5); undefined for any other
 * path.
 */
function stepsOf(path: string): (string | number)[] | undefined {
  const steps: (string | number)[] = [];
  let end = 1;
  for (const step of path.slice(1).matchAll(STEP)) {
    end += step[0].length;
    const [, name, index, single, double] = step;
    steps.push(index === undefined ? (name ?? single ?? double ?? "") : Number(index));
  }
  return end === path.length ? steps : undefined;
}

/** `.name`, `[0]`, `['name']` or `["name"]`, each directly after the one before. */
const STEP = /\.([^.[\]'"\s]+)|\[(\d{1,6})\]|\['([^']*)'\]|\["([^"]*)"\]/gy;

function valueAt(value: unknown, steps: (string | number)[]): unknown {
  let current = value;
  for (const step of steps) {
    const isInside =
      typeof current === "object" &&
      current !== null &&
      Array.isArray(current) === (typeof step === "number") &&
      Object.hasOwn(current, step);
    if (!isInside) return undefined;
    current = Reflect.get(Object(current), step);
  }
  return current;
}

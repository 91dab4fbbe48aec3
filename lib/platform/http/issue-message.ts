import * as z from "zod";
import { unwrap } from "./schema-fields";

/** Says what is allowed, as a predicate for a sentence that starts with the property's name. */
export function issueMessage(
  issue: z.core.$ZodIssue,
  field: z.ZodType | undefined,
  value: unknown,
): string {
  const orNull = field?.safeParse(null).success ? " or null" : "";
  switch (issue.code) {
    case "invalid_type":
    case "too_small":
    case "too_big":
      return allowed(unwrap(field), issue, orNull) + countOf(issue, value);
    case "invalid_value":
      return `must be ${wordList(
        issue.values.map((item) => JSON.stringify(item)),
        "or",
      )}${orNull}`;
    default:
      return issue.message;
  }
}

/** Custom messages: `schema.register(customMessages, …)`. They get the range of a number that is outside it. */
export const customMessages = z.registry<{ must(range?: Range): string }>();

interface Range {
  minimum: number;
  maximum: number;
}

/** "a, b and c". */
export function wordList(words: string[], conjunction: "and" | "or") {
  if (words.length < 2) return words.join();
  return `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
}

type Bounded = z.core.$ZodIssueInvalidType | z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig;

function allowed(field: unknown, issue: Bounded, orNull: string): string {
  if (field instanceof z.ZodType) {
    const own = customMessages.get(field);
    if (own) return own.must(issue.code === "invalid_type" ? undefined : rangeOf(field)) + orNull;
  }
  if (field instanceof z.ZodNumber) return `must be ${numbers(field)}${orNull}`;
  if (issue.code === "invalid_type") {
    return `must be ${TYPE_NAMES[issue.expected] ?? `of type ${issue.expected}`}${orNull}`;
  }
  if (issue.code === "too_small" && issue.minimum === 1 && issue.origin in UNITS) {
    return "must not be empty";
  }
  const [words, limit] =
    issue.code === "too_small" ? ["at least", issue.minimum] : ["at most", issue.maximum];
  const unit = UNITS[issue.origin];
  return unit ? `must have ${words} ${limit} ${unit}` : `must be ${words} ${limit}`;
}

function rangeOf(field: z.ZodType): Range | undefined {
  if (!(field instanceof z.ZodNumber)) return undefined;
  return { minimum: field.minValue ?? -MAX, maximum: field.maxValue ?? MAX };
}

function numbers({ isInt, minValue, maxValue }: z.ZodNumber): string {
  const kind = isInt ? "an integer" : "a number";
  const bounded = (limit: number | null) => limit !== null && Math.abs(limit) < MAX;
  if (bounded(minValue) && bounded(maxValue)) return `${kind} from ${minValue} to ${maxValue}`;
  if (bounded(minValue)) return `${kind} of at least ${minValue}`;
  return kind;
}

const MAX = Number.MAX_SAFE_INTEGER;

function countOf(issue: Bounded, value: unknown): string {
  const tooMany = issue.code === "too_big" && Array.isArray(value);
  return tooMany ? `; it has ${value.length}` : "";
}

const UNITS: Record<string, string> = { array: "items", string: "characters" };

const TYPE_NAMES: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
};

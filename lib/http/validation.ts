import { z } from "zod";
import { ApiError, type ErrorCode, isErrorCode } from "./errors";

/**
 * Checks a request's body or query against its schema. Throws one `ApiError`: the first problem in
 * the order in which the caller wrote the properties; what is missing comes after them.
 */
export function validate<Schema extends z.ZodObject>(
  schema: Schema,
  document: Record<string, unknown>,
): z.output<Schema> {
  const result = schema.safeParse(document);
  if (result.success && !Object.hasOwn(document, "__proto__")) return result.data;

  const problems = (result.error?.issues ?? []).flatMap((issue): Problem[] =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ path: [...issue.path, key], issue }))
      : [{ path: issue.path, issue }],
  );
  // zod passes over a property of this name; to a caller it is unknown like any other.
  if (Object.hasOwn(document, "__proto__")) problems.push({ path: ["__proto__"] });
  const first = firstInDocument(problems, document, 0);
  throw describeProblem(schema, document, first);
}

/** A query string as a document for `validate`: a repeated parameter is an array where the schema has one. */
export function queryDocument(schema: z.ZodObject, search: string): Record<string, unknown> {
  const document: Record<string, unknown> = {};
  if (search === "") return document;
  const parameters = new URLSearchParams(search);
  for (const [name, field] of Object.entries(schema.shape)) {
    const values = parameters.getAll(name);
    if (values.length > 0) document[name] = isArray(field) ? values : values.at(-1);
  }
  return document;
}

/** A problem without an issue is an unknown property. */
interface Problem {
  path: PropertyKey[];
  issue?: z.core.$ZodIssue;
}

/**
 * The first of the problems below `container`, which their paths have in common up to `depth`. Ranks
 * the keys once for each level, as a body may hold a hundred thousand problems.
 */
function firstInDocument(problems: Problem[], container: unknown, depth: number): Problem {
  const here = problems.find(({ path }) => path.length === depth);
  if (here) return here;
  const ranks = new Map(
    isRecord(container) ? Object.keys(container).map((key, i) => [key, i]) : [],
  );
  const rank = ({ path }: Problem) => ranks.get(String(path[depth])) ?? Number.MAX_SAFE_INTEGER;
  const first = problems.reduce((best, next) => (rank(next) < rank(best) ? next : best));
  const key = first.path[depth] ?? "";
  return firstInDocument(
    problems.filter(({ path }) => path[depth] === key),
    valueAt(container, [key]),
    depth + 1,
  );
}

function describeProblem(
  schema: z.ZodObject,
  document: unknown,
  { path, issue }: Problem,
): ApiError {
  const param = path.map(String).join(".");
  if (issue === undefined || issue.code === "unrecognized_keys") {
    const names = Object.keys(shapeAt(schema, path.slice(0, -1)));
    const allowed =
      names.length === 0 ? "none is allowed here" : `allowed are ${list(names, "and")}`;
    return new ApiError("unknown_param", `${name(param)} is not a known property; ${allowed}.`, {
      param,
    });
  }
  if (issue.code === "invalid_type" && valueAt(document, path) === undefined) {
    return new ApiError("missing_required_param", `${name(param)} is required.`, { param });
  }
  const orNull = fieldAt(schema, path)?.safeParse(null).success ? " or null" : "";
  return new ApiError(codeOf(issue), `${name(param)} ${complaint(issue)}${orNull}.`, { param });
}

/** A check of our own may say which code it stands for, as `params: { errorCode }`. */
function codeOf(issue: z.core.$ZodIssue): ErrorCode {
  const code: unknown = issue.code === "custom" ? issue.params?.errorCode : undefined;
  return typeof code === "string" && isErrorCode(code) ? code : "invalid_param";
}

function complaint(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${TYPE_NAMES[issue.expected] ?? `of type ${issue.expected}`}`;
    case "invalid_value":
      return `must be ${list(
        issue.values.map((value) => JSON.stringify(value)),
        "or",
      )}`;
    case "too_small":
      return bound(issue.origin, "at least", issue.minimum);
    case "too_big":
      return bound(issue.origin, "at most", issue.maximum);
    default:
      return issue.message;
  }
}

const TYPE_NAMES: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
};

function bound(origin: string, words: string, limit: number | bigint) {
  return origin === "array" ? `must have ${words} ${limit} items` : `must be ${words} ${limit}`;
}

/** Property names are the caller's: quoted, and short enough that an answer is never a payload. */
function name(param: string) {
  return `"${param.length > 100 ? `${param.slice(0, 100)}…` : param}"`;
}

function list(words: string[], conjunction: "and" | "or") {
  if (words.length < 2) return words.join();
  return `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
}

function valueAt(document: unknown, path: PropertyKey[]): unknown {
  let value = document;
  for (const key of path) {
    if (Array.isArray(value)) value = value[Number(key)];
    else if (isRecord(value) && Object.hasOwn(value, key)) value = value[String(key)];
    else return undefined;
  }
  return value;
}

function shapeAt(schema: z.ZodObject, path: PropertyKey[]): Record<string, unknown> {
  const field = path.length === 0 ? schema : fieldAt(schema, path);
  return field instanceof z.ZodObject ? field.shape : {};
}

function fieldAt(schema: z.ZodObject, path: PropertyKey[]): z.ZodType | undefined {
  let field: unknown = schema;
  for (const key of path) {
    field = unwrap(field);
    if (field instanceof z.ZodObject) field = field.shape[String(key)];
    else if (field instanceof z.ZodArray) field = field.element;
    else return undefined;
  }
  return field instanceof z.ZodType ? field : undefined;
}

function isArray(field: unknown): boolean {
  return unwrap(field) instanceof z.ZodArray;
}

function unwrap(field: unknown): unknown {
  let inner = field;
  while (
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodNullable ||
    inner instanceof z.ZodDefault
  ) {
    inner = inner.unwrap();
  }
  return inner;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

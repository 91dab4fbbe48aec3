import { z } from "zod";
import { ApiError, type ErrorCode, isErrorCode, quote } from "@/lib/errors";
import { hasAliases, ownName } from "./aliases";
import { JSON_VALUES_MAX } from "./bounded-json";
import { complaint, wordList } from "./complaint";
import { fieldAt, isArray, unwrap } from "./schema-fields";

/** An answer repeats a stranger's property name up to this length. */
const PARAM_LENGTH_MAX = 200;

interface Input {
  /** What the document was made of has more values than are allowed: it is only the start. */
  excessive?: boolean;
  /** What callers call its members. */
  noun?: "property" | "query parameter";
}

/**
 * Checks a request's body or query against its schema. Throws one `ApiError`: the first problem in
 * the order in which the caller wrote the properties; what is missing comes after them.
 */
export function validate<Schema extends z.ZodObject>(
  schema: Schema,
  sent: Record<string, unknown>,
  { excessive = false, noun = "property" }: Input = {},
): z.output<Schema> {
  const document = hasAliases(schema) ? withOwnNames(schema, sent) : sent;
  const result = schema.safeParse(document);
  const hasProto = isStrict(schema) && Object.hasOwn(document, "__proto__");
  if (result.success && !hasProto && !excessive) return result.data;

  const problems = (result.error?.issues ?? []).map((issue): Problem => {
    // The unknown keys of an object are in its order, and the first is the one to be named.
    const unknown = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
    return { path: [...issue.path, ...unknown], issue };
  });
  // zod ignores a property of this name; to the caller it is as unknown as any other.
  if (hasProto) problems.push({ path: ["__proto__"] });
  // A property missing from the start may follow in the rest.
  const there = excessive ? problems.filter((problem) => !isMissing(document, problem)) : problems;
  if (there.length === 0) throw tooManyValues();
  const first = firstInDocument(there, document, 0);
  const sentAs = Object.keys(sent).find((name) => ownName(schema, name) === first.path[0]);
  const param = [sentAs ?? first.path[0], ...first.path.slice(1)].map(String).join(".");
  throw describeProblem(schema, document, first, { param, noun });
}

function isStrict(schema: z.ZodObject): boolean {
  return schema.def.catchall instanceof z.ZodNever;
}

/** A query string as a document for `validate`: a repeated parameter is an array where the schema has one. */
export function queryDocument(schema: z.ZodObject, search: string): Record<string, unknown> {
  if (search === "") return {};
  const document = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(search)) {
    const known = document.get(name);
    if (Array.isArray(known)) known.push(value);
    else document.set(name, isArray(schema, ownName(schema, name)) ? [value] : value);
  }
  return Object.fromEntries(document);
}

/** A problem without an issue is an unknown property. */
interface Problem {
  path: PropertyKey[];
  issue?: z.core.$ZodIssue;
}

/** The document with its members under the schema's own names. Throws where two names disagree. */
function withOwnNames(schema: z.ZodObject, sent: Record<string, unknown>) {
  const document = new Map<string, unknown>();
  const names = new Map<string, string>();
  for (const [name, value] of Object.entries(sent)) {
    const own = ownName(schema, name);
    const other = names.get(own);
    if (other !== undefined && JSON.stringify(document.get(own)) !== JSON.stringify(value)) {
      throw new ApiError(
        "invalid_param",
        `${quote(other)} and ${quote(name)} mean the same here; send one of them.`,
        { param: name },
      );
    }
    names.set(own, name);
    document.set(own, value);
  }
  return Object.fromEntries(document);
}

/**
 * The first of the problems below `container`, which their paths have in common up to `depth`. Ranks
 * the keys once for each level, as a body may hold thousands of problems.
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
  problem: Problem,
  { param, noun }: { param: string; noun: string },
): ApiError {
  const { path, issue } = problem;
  const name = quote(param);
  const at = { param: param.slice(0, PARAM_LENGTH_MAX) };
  if (issue === undefined || issue.code === "unrecognized_keys") {
    const names = Object.keys(shapeAt(schema, path.slice(0, -1)));
    const allowed =
      names.length === 0 ? "none is allowed here" : `allowed: ${wordList(names, "and")}`;
    return new ApiError("unknown_param", `${name} is not a known ${noun}; ${allowed}.`, at);
  }
  if (isMissing(document, problem)) {
    return new ApiError("missing_required_param", `${name} is required.`, at);
  }
  const words = complaint(issue, fieldAt(schema, path), valueAt(document, path));
  return new ApiError(codeOf(issue), `${name} ${words}.`, at);
}

function isMissing(document: unknown, { path, issue }: Problem): boolean {
  return issue?.code === "invalid_type" && valueAt(document, path) === undefined;
}

/** A check of our own may say which code it stands for, as `params: { errorCode }`. */
function codeOf(issue: z.core.$ZodIssue): ErrorCode {
  const code: unknown = issue.code === "custom" ? issue.params?.errorCode : undefined;
  return typeof code === "string" && isErrorCode(code) ? code : "invalid_param";
}

function tooManyValues() {
  return new ApiError(
    "invalid_param",
    `The request body holds more than ${JSON_VALUES_MAX} values, the most that are allowed.`,
  );
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
  const field = unwrap(fieldAt(schema, path));
  return field instanceof z.ZodObject ? field.shape : {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

import * as z from "zod";
import { ApiError, type ErrorCode, invalidParam, isErrorCode, quote } from "@/lib/platform/errors";
import { JSON_VALUES_MAX, PARTS_VALUES_MAX } from "./bounded-json";
import { issueMessage, wordList } from "./issue-message";
import { isObject } from "./request";
import { fieldAt, isArray, unwrap } from "./schema-fields";

/** Error messages truncate property names to this length. */
const PARAM_LENGTH_MAX = 200;

interface Input {
  /** The body had too many values, and the document is only its start. */
  excessive?: boolean;
  /** What an error message calls the members. */
  noun?: "property" | "query parameter";
  /** The schema of the body, when a query is validated, or of the query, when a body is. */
  other?: z.ZodObject | undefined;
}

/** Validates a body or query. Throws the first problem in the caller's order; missing ones last. */
export function validate<Schema extends z.ZodObject>(
  schema: Schema,
  document: Record<string, unknown>,
  { excessive = false, noun = "property", other }: Input = {},
): z.output<Schema> {
  const result = schema.safeParse(document);
  const hasProto = isStrict(schema) && Object.hasOwn(document, "__proto__");
  if (result.success && !hasProto && !excessive) return result.data;

  const problems = (result.error?.issues ?? []).map((issue): Problem => {
    // Unknown keys are in document order; report the first.
    const unknown = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
    return { path: [...issue.path, ...unknown], issue };
  });
  // zod ignores this key, but it is unknown like any other.
  if (hasProto) problems.push({ path: ["__proto__"] });
  // A property missing from the start may be in the rest.
  const there = excessive ? problems.filter((problem) => !isMissing(document, problem)) : problems;
  if (there.length === 0) throw tooManyValues();
  const first = firstInDocument(there, document, 0);
  // A query has no paths: a repeated parameter keeps its name.
  const path = noun === "property" ? first.path : first.path.slice(0, 1);
  const param = path.map(String).join(".");
  throw describeProblem(schema, document, first, { excessive, param, noun, other });
}

function isStrict(schema: z.ZodObject): boolean {
  return schema.def.catchall instanceof z.ZodNever;
}

/** Empty counts as absent, since callers write `?after=${cursor ?? ""}` for the first page. */
const ABSENT_IF_EMPTY = ["after", "limit"];

/**
 * Converts a query string for `validate`. A repeated parameter becomes an array, which a strict
 * schema refuses where it takes one value: all but the last would be ignored.
 */
export function queryDocument(schema: z.ZodObject, search: string): Record<string, unknown> {
  if (search === "") return {};
  const document = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(search)) {
    if (value === "" && ABSENT_IF_EMPTY.includes(name)) continue;
    const known = document.get(name);
    if (Array.isArray(known)) known.push(value);
    else if (isArray(schema, name)) document.set(name, [value]);
    else if (known === undefined || known === value || !isStrict(schema)) document.set(name, value);
    else document.set(name, [known, value]);
  }
  return Object.fromEntries(document);
}

/** A problem of a property. Without an issue, the property is unknown. */
interface Problem {
  path: PropertyKey[];
  issue?: z.core.$ZodIssue;
}

/**
 * The first problem in document order. All problem paths share `container` up to `depth`. Ranks
 * keys once per level, since a body may have thousands of problems.
 */
function firstInDocument(problems: Problem[], container: unknown, depth: number): Problem {
  const here = problems.find(({ path }) => path.length === depth);
  if (here) return here;
  const ranks = new Map(Object.keys(container ?? {}).map((key, i) => [key, i]));
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
  { excessive, param, noun, other }: Input & { param: string },
): ApiError {
  const { path, issue } = problem;
  const name = quote(param);
  const at = { param: param.slice(0, PARAM_LENGTH_MAX).toWellFormed() };
  if (issue === undefined || issue.code === "unrecognized_keys") {
    const names = Object.keys(shapeAt(schema, path.slice(0, -1)));
    const allowed =
      names.length === 0 ? "none is allowed here" : `allowed: ${wordList(names, "and")}`;
    const place = noun === "property" ? "as a query parameter" : "in the JSON body";
    const isMisplaced = other && Object.hasOwn(other.shape, param);
    const problem = isMisplaced ? `a ${noun} here; send it ${place}` : `a known ${noun}`;
    const hint = isMisplaced && names.length === 0 ? "" : `; ${allowed}`;
    return new ApiError("unknown_param", `${name} is not ${problem}${hint}.`, at);
  }
  if (isMissing(document, problem)) {
    return new ApiError("missing_required_param", `${name} is required.`, at);
  }
  const value = valueAt(document, path);
  if (noun === "query parameter" && Array.isArray(value) && !isArray(schema, String(path[0]))) {
    return invalidParam(at.param, `${name} takes one value, and was sent more than once.`);
  }
  // The value may have been cut.
  const words = issueMessage(issue, fieldAt(schema, path), excessive ? undefined : value);
  return new ApiError(codeOf(issue), `${name} ${words}.`, at);
}

/** Zod reports an absent enum or union as an invalid value. Custom checks choose their own code. */
function isMissing(document: unknown, { path, issue }: Problem): boolean {
  return issue !== undefined && issue.code !== "custom" && valueAt(document, path) === undefined;
}

/** A custom check may set the code through `params: { errorCode }`. */
function codeOf(issue: z.core.$ZodIssue): ErrorCode {
  const code: unknown = issue.code === "custom" ? issue.params?.errorCode : undefined;
  return typeof code === "string" && isErrorCode(code) ? code : "invalid_param";
}

function tooManyValues() {
  return new ApiError(
    "invalid_param",
    `The request body has more than ${JSON_VALUES_MAX} values, or the operations of a batch more than ${PARTS_VALUES_MAX} together.`,
  );
}

function valueAt(document: unknown, path: PropertyKey[]): unknown {
  let value = document;
  for (const key of path) {
    if (Array.isArray(value)) value = value[Number(key)];
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[String(key)];
    else return undefined;
  }
  return value;
}

function shapeAt(schema: z.ZodObject, path: PropertyKey[]): Record<string, unknown> {
  const field = unwrap(fieldAt(schema, path));
  return field instanceof z.ZodObject ? field.shape : {};
}

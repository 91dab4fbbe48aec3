import * as z from "zod";
import { type Carrier, requestTo } from "@/lib/api/operation-request";
import { ApiError, invalidParam, quote } from "@/lib/platform/errors";
import { text } from "@/lib/platform/http/fields";
import { wordList } from "@/lib/platform/http/issue-message";
import { createsClaimable } from "@/lib/platform/http/operation";
import type { HttpRequest, JsonBody } from "@/lib/platform/http/request";
import { validate } from "@/lib/platform/http/validation";
import { memoize } from "@/lib/platform/memoize";
import { secondsOf } from "./time";
import { type Arguments, idsOf, isValue, type Tool, type Variant, waitArgument } from "./tool";

/** No ID is longer. */
const ID_LENGTH_MAX = 500;

/** About the longest query that an HTTP request can have. */
const QUERY_CHARACTERS_MAX = 16_000;

/** A request to an operation, as `perform` takes it. */
interface OperationRequest {
  request: HttpRequest;
  params: Record<string, string>;
  json?: JsonBody;
}

interface ToolCarrier extends Carrier {
  /** Used if the call has none. */
  idempotencyKey: string | undefined;
  ifMatch: string | undefined;
}

/**
 * The tool's arguments that do not belong to the query or body of its operation. Kept, since zod
 * compiles a schema on its first use.
 */
export const ownArguments = memoize((variant: Variant): z.ZodObject => {
  const { operation, when = {}, url, pages } = variant;
  const id = text({ max: ID_LENGTH_MAX });
  const values = Object.entries(when).filter((entry): entry is [string, string] =>
    isValue(entry[1]),
  );
  return z.object({
    ...Object.fromEntries(values.map(([name, value]) => [name, z.enum([value])])),
    ...Object.fromEntries(
      Object.entries(idsOf(variant)).map(([param, name]) => [
        name,
        param === "n" ? z.int().min(1) : id,
      ]),
    ),
    ...(url && { [url]: id }),
    ...(operation.rawBody && { body: eventBody.optional() }),
    // The polls of a wait differ in how long they wait, so that they would be other requests.
    ...(operation.repeatable &&
      !waitArgument(variant) && {
        idempotency_key: text().nullish().describe("A repeat with it does nothing"),
      }),
    ...((createsClaimable(operation) || operation.takesClaimToken) && {
      claim_with: text().nullish().describe("The `claim_token` of your first create"),
    }),
    ...(pages && {
      offset: z.int().min(0).nullish().describe("Where to begin in a long text"),
    }),
  });
});

const eventBody = z
  .union([z.record(z.string(), z.unknown()), z.string()], {
    error: "must be an object or a string",
  })
  .describe("An object is sent as JSON");

/** The text position at which the result should start. Throws 400 if it is invalid. */
export function offsetOf(variant: Variant, args: Arguments): number {
  const { offset } = validate(ownArguments(variant), args);
  return typeof offset === "number" ? offset : 0;
}

/** Turns the arguments into a request to one of the tool's operations. Throws 400. */
export function requestOf(
  tool: Tool,
  variant: Variant,
  args: Arguments,
  { idempotencyKey, ifMatch, ...carrier }: ToolCarrier,
): OperationRequest {
  const { operation, renamed = {} } = variant;
  const own = validate(ownArguments(variant), args);
  const params = paramsOf(variant, own);
  // Models send null for what they leave out; null has a meaning only in a change.
  const mayBeNull = (name: string) =>
    operation.method === "PATCH" && Object.hasOwn(operation.body?.shape ?? {}, name);
  const others = Object.entries(args).filter(
    ([name, value]) => !Object.hasOwn(own, name) && (value !== null || mayBeNull(name)),
  );
  assertKnown(tool, variant, others);
  const rest = withDefaults(
    variant,
    others.map(([name, value]): [string, unknown] => {
      const field = Object.hasOwn(renamed, name) ? (renamed[name] ?? name) : name;
      return [field, secondsOf(field, value)];
    }),
  );
  const isInQuery = ([name]: [string, unknown]) =>
    !operation.body || Object.hasOwn(operation.query?.shape ?? {}, name);
  const search = queryOf(rest.filter(isInQuery));
  if (search.length > QUERY_CHARACTERS_MAX) {
    const message = `The parameters have more than ${QUERY_CHARACTERS_MAX} characters.`;
    throw new ApiError("payload_too_large", message);
  }
  const document = Object.fromEntries(rest.filter((entry) => !isInQuery(entry)));
  const { idempotency_key: key, claim_with: token } = own;
  const sent = operation.rawBody ? rawBody(args.body) : undefined;
  return {
    params,
    ...(operation.body && { json: { document, excessive: false } }),
    request: requestTo(
      operation,
      {
        params,
        search,
        headers: {
          "content-type": sent?.type,
          "if-match": ifMatch,
          "idempotency-key": typeof key === "string" ? key : idempotencyKey,
          "claim-with": typeof token === "string" ? token : undefined,
          // What the agent has just sent or received would cost it the same again.
          prefer: operation.minimal ? "return=minimal" : undefined,
        },
        body: sent?.chunks ?? null,
      },
      carrier,
    ),
  };
}

/** Throws 400 for an argument of neither the tool nor its operation. */
function assertKnown(tool: Tool, variant: Variant, given: [string, unknown][]) {
  const { operation, renamed = {}, when = {} } = variant;
  const { query, body } = operation;
  const schemas = [ownArguments(variant), query, body].filter((schema) => schema !== null);
  const isKnown = ([name]: [string, unknown]) =>
    Object.hasOwn(renamed, name) || schemas.some((schema) => Object.hasOwn(schema.shape, name));
  const unknown = given.find((argument) => !isKnown(argument))?.[0];
  if (unknown === undefined) return;
  const fields = Object.values(renamed);
  const names = schemas
    .flatMap(({ shape }) => Object.keys(shape))
    .filter((name) => !fields.includes(name));
  const allowed = [...new Set([...Object.keys(renamed), ...names])];
  const chosen = Object.entries(when).flatMap(([name, condition]) =>
    condition === null ? [] : [condition === true ? `\`${name}\`` : `\`${name}\` ${condition}`],
  );
  const place = chosen.length > 0 ? ` with ${wordList(chosen, "and")}` : "";
  throw new ApiError(
    "unknown_param",
    `${quote(unknown)} is not an argument of ${tool.name}${place}; allowed: ${wordList(allowed, "and")}.`,
    { param: unknown.slice(0, ID_LENGTH_MAX) },
  );
}

function paramsOf(variant: Variant, own: Arguments): Record<string, string> {
  const { operation, url } = variant;
  if (url === undefined) {
    return Object.fromEntries(
      Object.entries(idsOf(variant)).map(([param, name]) => [param, String(own[name])]),
    );
  }
  const given = String(own[url]);
  const path = URL.canParse(given) ? new URL(given).pathname : "";
  const pattern = operation.path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  const groups = new RegExp(`^${pattern}$`).exec(path)?.groups;
  if (!groups) throw invalidParam(url, `${quote(url)} must be one that send_to_inbox returned.`);
  return groups;
}

/** The operation's fields with the tool's defaults and bounds. */
function withDefaults(
  { defaults = {}, maximum = {} }: Variant,
  fields: [string, unknown][],
): [string, unknown][] {
  const names = new Set(fields.map(([name]) => name));
  return [
    ...Object.entries(defaults).filter(([name]) => !names.has(name)),
    ...fields.map(([name, value]): [string, unknown] => {
      const most = maximum[name];
      const isAbove = most !== undefined && typeof value === "number" && value > most;
      return [name, isAbove ? most : value];
    }),
  ];
}

function queryOf(entries: [string, unknown][]): string {
  const query = new URLSearchParams();
  for (const [name, value] of entries) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one === "object") {
        const words = "must be a string, a number, a boolean or a list of them";
        throw invalidParam(name, `${quote(name)} ${words}.`);
      }
      query.append(name, String(one));
    }
  }
  return query.toString();
}

function rawBody(body: unknown) {
  const isText = typeof body === "string";
  const bytes = Buffer.from(isText ? body : body === undefined ? "" : JSON.stringify(body));
  const type = isText ? "text/plain; charset=utf-8" : "application/json";
  return { type, chunks: once(bytes) };
}

async function* once(bytes: Uint8Array) {
  yield bytes;
}

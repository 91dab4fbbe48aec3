import { z } from "zod";
import { ApiError, invalidParam, quote } from "@/lib/errors";
import { canonicalName } from "@/lib/http/aliases";
import { text } from "@/lib/http/fields";
import { createsClaimable, isCreate, type Operation } from "@/lib/http/operation";
import type { HttpRequest, JsonBody } from "@/lib/http/request";
import { validate } from "@/lib/http/validation";
import type { Tool } from "./tool";

/** No ID is longer. */
const ID_LENGTH_MAX = 500;

/** HTTP requests have no longer query either. */
const QUERY_CHARACTERS_MAX = 16_000;

export type Arguments = Record<string, unknown>;

/** A request to an operation, as `perform` takes it. */
interface OperationRequest {
  request: HttpRequest;
  params: Record<string, string>;
  json?: JsonBody;
}

/** The parts of the carrying HTTP request that the tool call keeps. */
type Carrier = Pick<HttpRequest, "signal" | "clientAddress">;

/** The arguments of a tool that are not in the query or body of its operation. */
export function ownArguments(tool: Tool): z.ZodObject {
  const known = made.get(tool) ?? makeOwnArguments(tool);
  made.set(tool, known);
  return known;
}

/** zod compiles a schema at its first use. */
const made = new WeakMap<Tool, z.ZodObject>();

function makeOwnArguments({ operation, ids = {}, pages }: Tool): z.ZodObject {
  const id = text({ max: ID_LENGTH_MAX });
  return z.object({
    ...Object.fromEntries(Object.values(ids).map((name) => [name, id])),
    ...(operation.rawBody && { body: eventBody.optional() }),
    ...((isCreate(operation) || operation.rawBody) && {
      idempotency_key: text()
        .nullish()
        .describe("A new UUID: a repeat with the same key creates nothing"),
    }),
    ...(createsClaimable(operation) && {
      claim_with: text()
        .nullish()
        .describe("Without a key: the `claim_token` of an earlier create, to claim this too"),
    }),
    ...(pages && {
      offset: z.int().min(0).nullish().describe(`Where to begin in \`${pages}\`, in characters`),
    }),
  });
}

const eventBody = z
  .union([z.record(z.string(), z.unknown()), z.string()], {
    error: "must be an object or a string",
  })
  .describe("The event; an object is sent as JSON");

/** The operation that these arguments mean. */
export function chosenOperation({ operation, alternative, ids = {} }: Tool, args: Arguments) {
  const id = args[ids.eventId ?? ""];
  const isOther = alternative && typeof id === "string" && id.startsWith(alternative.prefix);
  return isOther ? alternative.operation : operation;
}

/** The text position at which the result is to begin. Throws 400 for an invalid one. */
export function offsetOf(tool: Tool, args: Arguments): number {
  const { offset } = validate(ownArguments(tool), args);
  return typeof offset === "number" ? offset : 0;
}

/**
 * The request that the arguments make of an operation of the tool. Unknown arguments go where the
 * operation refuses them by name. Throws 400 for an invalid ID.
 */
export function requestOf(
  tool: Tool,
  operation: Operation,
  args: Arguments,
  carrier: Carrier,
): OperationRequest {
  const own = validate(ownArguments(tool), args);
  const params = Object.fromEntries(
    Object.entries(tool.ids ?? {}).map(([param, name]) => [param, String(own[name])]),
  );
  const rest = withDefaults(tool, args).filter(([name]) => !Object.hasOwn(own, name));
  const isInQuery = ([name]: [string, unknown]) => !operation.body || isParameter(operation, name);
  const search = queryOf(rest.filter(isInQuery));
  if (search.length > QUERY_CHARACTERS_MAX) throw tooLong();
  const document = Object.fromEntries(rest.filter((entry) => !isInQuery(entry)));
  const { idempotency_key: key, claim_with: token } = own;
  const sent = operation.rawBody ? rawBody(own.body) : undefined;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, param) =>
    encodeURIComponent(params[param] ?? ""),
  );
  return {
    params,
    ...(operation.body && { json: { document, excessive: false } }),
    request: {
      ...carrier,
      method: operation.method,
      url: search === "" ? path : `${path}?${search}`,
      headers: headersOf({
        ...(sent && { "content-type": sent.type }),
        ...(typeof key === "string" && { "idempotency-key": key }),
        ...(typeof token === "string" && { "claim-with": token }),
      }),
      body: sent?.chunks ?? null,
    },
  };
}

/** The arguments with the tool's defaults and bounds. */
function withDefaults(
  { operation, defaults = {}, maximum = {} }: Tool,
  args: Arguments,
): [string, unknown][] {
  const given = Object.entries(args).filter(
    // Models send null for parameters that they leave out; only a body has a meaning for it.
    ([name, value]) => value !== null || !isParameter(operation, name),
  );
  const names = new Set(given.map(([name]) => nameOf(operation, name)));
  return [
    ...Object.entries(defaults).filter(([name]) => !names.has(name)),
    ...given.map(([name, value]): [string, unknown] => {
      const most = maximum[name];
      const isAbove = most !== undefined && typeof value === "number" && value > most;
      return [name, isAbove ? most : value];
    }),
  ];
}

function isParameter({ query }: Operation, name: string): boolean {
  return query !== null && Object.hasOwn(query.shape, canonicalName(query, name));
}

function nameOf({ query }: Operation, name: string): string {
  return query ? canonicalName(query, name) : name;
}

function queryOf(entries: [string, unknown][]): string {
  const query = new URLSearchParams();
  for (const [name, value] of entries) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one === "object") throw notText(name);
      query.append(name, String(one));
    }
  }
  return query.toString();
}

function tooLong() {
  const message = `The parameters have more than ${QUERY_CHARACTERS_MAX} characters.`;
  return new ApiError("payload_too_large", message);
}

function notText(name: string) {
  return invalidParam(
    name,
    `${quote(name)} must be a string, a number, a boolean or a list of them.`,
  );
}

function rawBody(body: unknown) {
  const isText = typeof body === "string";
  const bytes = Buffer.from(isText ? body : body === undefined ? "" : JSON.stringify(body));
  const type = isText ? "text/plain; charset=utf-8" : "application/json";
  return { type, chunks: once(bytes) };
}

function headersOf(values: Record<string, string>): HttpRequest["headers"] {
  const known = new Map(Object.entries(values));
  return { get: (name) => known.get(name) ?? null, [Symbol.iterator]: () => known.entries() };
}

async function* once(bytes: Uint8Array) {
  yield bytes;
}

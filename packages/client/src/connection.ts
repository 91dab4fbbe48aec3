import createFetchClient from "openapi-fetch";
import { ApiError, ProxyError } from "./api-error.js";
import type { Call, CallOptions, Parsed } from "./calls.js";
import { type ClientOptions, checkOptions, settingsOf } from "./options.js";
import { type Outgoing, send } from "./send.js";

/**
 * The operations of the HTTP API, by method. Each returns the parsed body, or throws `ApiError`.
 */
export interface Calls {
  GET: Call<"get">;
  POST: Call<"post">;
  PUT: Call<"put">;
  PATCH: Call<"patch">;
  DELETE: Call<"delete">;
}

/** A server and the settings to reach it. */
export interface Connection {
  baseUrl: string;
  /** Whether requests carry a key. */
  hasKey: boolean;
  calls: Calls;
  /** Any of the calls, without their types. */
  call(
    method: string,
    path: string,
    init?: AnyInit,
  ): Promise<{ data: unknown; response: Response }>;
  /** Opens a stream of events and returns its bytes. Throws `ApiError` if there is something else. */
  open(path: string, signal: AbortSignal, maxRetries?: number): Promise<ReadableStream<Uint8Array>>;
  /** Whether the service has answered a request, be it with a refusal. */
  hasAnswered(): boolean;
}

/** Prepares a connection without opening one. Throws a `TypeError` for an invalid option. */
export function connect(options: ClientOptions = {}): Connection {
  const { baseUrl, ownHeaders, defaults } = settingsOf(options);
  const untyped = createFetchClient<Record<string, never>>({
    baseUrl,
    pathSerializer,
    bodySerializer,
  });
  /** The ETags of the objects that calls have returned. */
  const etags = new WeakMap<object, string>();
  let hasAnswered = false;

  /** Notes that the service has answered. From then on, any other answer is taken for a proxy's. */
  async function heard<Answer>(asked: Promise<Answer>): Promise<Answer> {
    const answer = await asked.catch((error) => {
      if (!(error instanceof ApiError)) throw error;
      const isOther = error.code === "invalid_response";
      if (hasAnswered && isOther) throw new ProxyError(error.message, error);
      hasAnswered ||= !isOther;
      throw error;
    });
    hasAnswered = true;
    return answer;
  }

  /** The types of `Call` come from the OpenAPI document; here any path will do. */
  async function call(method: string, path: string, init: AnyInit = {}) {
    checkOptions(init, CALL_OPTIONS);
    const { headers, signal, parseAs = "json", params, body, ifMatch, claimWith } = init;
    const { maxRetries = defaults.maxRetries, timeoutMs = defaults.timeoutMs } = init;
    const { patienceMs = timeoutMs, idempotencyKey = crypto.randomUUID() } = init;
    const sending = { ...defaults, signal, maxRetries, timeoutMs, patienceMs };
    const request = {
      params,
      body,
      parseAs,
      headers: {
        ...(isRaw(body) && {
          "Content-Type": body instanceof Blob && body.type ? body.type : null,
        }),
        ...ownHeaders,
        ...(method === "POST" && !isUnkeyed(path) && { "Idempotency-Key": idempotencyKey }),
        ...(claimWith !== undefined && { "Claim-With": claimWith }),
        ...(ifMatch !== undefined && { "If-Match": etagOf(ifMatch, etags) }),
        ...headers,
      },
      fetch: async (made: Request) =>
        send(
          {
            url: made.url,
            method,
            headers: made.headers,
            body: body === undefined ? undefined : new Uint8Array(await made.arrayBuffer()),
            repeatable: isRepeatable(method, path, made.headers),
            streamed: parseAs === "stream",
          },
          sending,
        ),
    };
    // The casts are safe: this function serves every call, and `Call` has checked the current one.
    const answer = untyped.request(method as "get", path as never, request as never);
    const { data, response }: { data?: unknown; response: Response } = await heard(
      answer.catch((error) => {
        if (!(error instanceof SyntaxError)) throw error;
        throw new ApiError(`${method} ${path} returned something other than JSON.`, {
          status: 200,
        });
      }),
    );
    const etag = response.headers.get("etag");
    if (etag !== null && typeof data === "object" && data !== null) etags.set(data, etag);
    const isComplete = data !== undefined || response.status === 204;
    if (isComplete || parseAs === "json" || parseAs === "stream") return { data, response };
    return { data: await response[parseAs](), response }; // empty
  }

  const verb = (method: string) => (path: string, init?: AnyInit) => call(method, path, init);
  const calls = {
    GET: verb("GET"),
    POST: verb("POST"),
    PUT: verb("PUT"),
    PATCH: verb("PATCH"),
    DELETE: verb("DELETE"),
  } as Calls;
  return {
    baseUrl,
    hasKey: ownHeaders.Authorization !== undefined,
    hasAnswered: () => hasAnswered,
    calls,
    call,
    open: (path, signal, maxRetries = defaults.maxRetries) => {
      const headers = new Headers(ownHeaders);
      const request = { url: `${baseUrl}${path}`, method: "GET", headers, streamed: true };
      const sending = { ...defaults, maxRetries, signal };
      return heard(send({ ...request, repeatable: true }, sending).then(streamIn));
    },
  };
}

function streamIn({ headers, body, status }: Response): ReadableStream<Uint8Array> {
  const type = headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream") && body) return body;
  throw new ApiError(`Expected a stream of events, not ${type || "nothing"}.`, { status });
}

/** The options of any call. */
export interface AnyInit extends CallOptions<keyof Parsed<unknown>> {
  params?: {
    path?: Record<string, unknown>;
    query?: Record<string, unknown>;
    header?: Record<string, unknown>;
  };
  body?: unknown;
}

const CALL_OPTIONS = [
  ...["headers", "signal", "parseAs", "maxRetries", "timeoutMs", "patienceMs", "ifMatch"],
  ...["idempotencyKey", "claimWith", "params", "body"],
];

/**
 * Whether the service takes no idempotency key there: a capture URL records each request, of any
 * method, as it is, and what MCP and OAuth do, they do each time.
 */
function isUnkeyed(path: string): boolean {
  return /^\/(api\/catch|mcp|oauth)([/?]|$)/.test(path);
}

/**
 * Whether sending it twice has the same effect as once. A POST with an idempotency key does. A
 * repeat with `If-Match` or `If-None-Match` would fail because of the change that the first attempt
 * made, and a DELETE of everything would delete what came since.
 */
function isRepeatable(method: string, path: string, headers: Outgoing["headers"]): boolean {
  if (isUnkeyed(path)) return false;
  if (method === "DELETE" && /\/(events|share)(\?|$)/.test(path)) return false;
  if (method === "POST" || method === "GET") return true;
  return !headers.has("if-match") && !headers.has("if-none-match");
}

function pathSerializer(path: string, params: Record<string, unknown>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathSegment(name, params[name]));
}

/**
 * Refuses values that would lead to another path: an event's path with an empty ID would be the
 * path of all events.
 */
export function pathSegment(name: string, value: unknown): string {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  if (text === "" || text === "." || text === "..") {
    throw new TypeError(`The path parameter "${name}" cannot be ${JSON.stringify(value)}.`);
  }
  return encodeURIComponent(text);
}

function bodySerializer(body: unknown): BodyInit {
  if (isRaw(body)) return body;
  if (Symbol.asyncIterator in Object(body)) {
    throw new TypeError("A body cannot be a stream, because a stream cannot be sent again.");
  }
  return JSON.stringify(body);
}

function isRaw(body: unknown): body is string | Uint8Array<ArrayBuffer> | ArrayBuffer | Blob {
  return (
    typeof body === "string" ||
    body instanceof Uint8Array ||
    body instanceof ArrayBuffer ||
    body instanceof Blob
  );
}

function etagOf(given: object | string, etags: WeakMap<object, string>): string {
  const etag = typeof given === "string" ? given : etags.get(given);
  if (etag !== undefined) return etag;
  throw new TypeError(
    "ifMatch must be an ETag, or what a create, get, update or upsert of this client returned.",
  );
}

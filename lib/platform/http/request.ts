import { hash } from "node:crypto";
import { ApiError, quote } from "@/lib/platform/errors";
import { type BodyParts, parseBounded } from "./bounded-json";

/** What the service uses of a request: of the web's `Request`, or of our lazy `NodeRequest`. */
export interface HttpRequest {
  method: string;
  /** Absolute; its host is untrusted and ignored. */
  url: string;
  /** Iterates over lower-case names; repeated headers may be joined or repeated. */
  headers: Iterable<[string, string]> & { get(name: string): string | null };
  body: AsyncIterable<Uint8Array> | null;
  /** Aborted when the caller disconnects. */
  signal: AbortSignal;
  /** The client's address according to `TRUSTED_PROXIES`, set by our own server. */
  clientAddress?: string;
  /** Whether the peer is a trusted proxy, which may have added headers; unset if unknown. */
  viaProxy?: boolean;
  /** Counts body bytes held in memory. Throws 429 or 503 when the budget is exhausted. */
  keep?(bytes: number): void;
}

/** The path and query of a URL, without the cost of a `URL` object. */
export function splitUrl(url: string): { path: string; search: string } {
  const mark = url.indexOf("?");
  const end = mark === -1 ? url.length : mark;
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("//") + 2);
  return {
    path: start === -1 || start > end ? "/" : url.slice(start, end),
    search: mark === -1 ? "" : url.slice(mark + 1),
  };
}

export interface JsonBody {
  document: Record<string, unknown>;
  /** The body has too many values; `document` has only the first. */
  excessive: boolean;
}

/**
 * Reads a JSON object body, whatever its content type. Throws 400 `invalid_json`, or 413
 * `payload_too_large` without reading further. With `optional`, an empty body counts as `{}`.
 */
export async function readJsonObject(
  request: HttpRequest,
  maxBytes: number,
  optional = false,
  parts?: BodyParts,
): Promise<JsonBody> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0 && optional) return { document: {}, excessive: false };
  if (bytes.length === 0) throw invalidJson("is empty; send a JSON object");
  const hint = encodingHint(request);
  const { value, excessive } = await parseBounded(bytes, parts).catch((error: unknown) => {
    const problem = error instanceof SyntaxError ? `is not JSON: ${error.message}` : "is not UTF-8";
    throw invalidJson(problem + hint);
  });
  if (!isObject(value)) throw invalidJson(`must be a JSON object${hint}`);
  return { document: value, excessive };
}

/** Reads a whole body. Throws 413 as soon as it exceeds `maxBytes`. */
export async function readBytes(request: HttpRequest, maxBytes: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    request.keep?.(chunk.length);
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

/**
 * Buffers a body. Returns a request that replays it, and the body's digest. One that is too large is refused where the
 * handler reads it, in the handler's own words.
 */
export async function bufferBody(
  request: HttpRequest,
  maxBytes: number,
): Promise<{ request: HttpRequest; digest: string }> {
  const bytes = await readBytes(request, maxBytes).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "payload_too_large") return error;
    throw error;
  });
  const body = (async function* () {
    if (bytes instanceof ApiError) throw bytes;
    yield bytes;
  })();
  return {
    // Its bytes are counted already.
    request: { ...withBody(request, body), keep: () => {} },
    digest: bytes instanceof ApiError ? "" : hash("sha256", bytes, "hex"),
  };
}

/** The request with another body. */
export function withBody(request: HttpRequest, body: AsyncIterable<Uint8Array>): HttpRequest {
  const { method, url, headers, signal, clientAddress, viaProxy } = request;
  return {
    method,
    url,
    headers,
    signal,
    body,
    ...(clientAddress !== undefined && { clientAddress }),
    ...(viaProxy !== undefined && { viaProxy }),
    keep: (bytes) => request.keep?.(bytes),
  };
}

/** Reads a whole body but keeps only its first `keptBytes`. */
export async function readPrefix(
  request: HttpRequest,
  keptBytes: number,
): Promise<{ start: Uint8Array[]; size: number }> {
  const start: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    if (size < keptBytes) {
      request.keep?.(chunk.length);
      start.push(chunk.subarray(0, keptBytes - size));
    }
    size += chunk.length;
  }
  return { start, size };
}

/** Whether a JSON value is an object, and not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Bodies are not decompressed, so a compressed one is not JSON. */
function encodingHint(request: HttpRequest): string {
  const encoding = request.headers.get("content-encoding")?.trim() ?? "";
  if (encoding === "" || encoding.toLowerCase() === "identity") return "";
  return `; its Content-Encoding is ${quote(encoding)}, so send it uncompressed`;
}

function invalidJson(what: string) {
  return new ApiError("invalid_json", `The request body ${what}.`);
}

function tooLarge(maxBytes: number) {
  return new ApiError("payload_too_large", `The request body is larger than ${maxBytes} bytes.`);
}

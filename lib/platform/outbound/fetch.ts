import http from "node:http";
import type { Socket } from "node:net";
import { type Connection, connect } from "./connect";
import { OutboundError, toOutboundError } from "./error";
import { keepIdle } from "./idle";
import { type AddressRules, configuredRules, type Permission } from "./policy";

export const CONNECT_TIMEOUT_MS = 5000;
export const TOTAL_TIMEOUT_MS = 15_000;
export const RESPONSE_BYTES_MAX = 1_000_000;
/** The limit on heads, trailers and the framing of chunks together. 1 MB in chunks of 40 bytes passes. */
const OVERHEAD_BYTES_MAX = 262_144;
const INTERIM_RESPONSES_MAX = 20;
/** Many small buffers take far more memory than their bytes. */
const CHUNKS_MAX = 1000;

export interface OutboundRequest {
  /** With the scheme http or https. */
  url: URL;
  method?: string;
  /** Sent verbatim after `Host` and `Content-Length`; names may repeat. */
  headers?: Iterable<readonly [string, string]>;
  body?: Uint8Array | null;
  limits?: { totalTimeoutMs?: number; responseBytesMax?: number };
  /** Which addresses are allowed; the configured rules by default. */
  rules?: AddressRules;
  /**
   * Requests of one group to one origin may share connections. A group must not mix callers: if a
   * target parses carelessly, the body of one request could pass for the start of the next.
   */
  connectionGroup?: string | undefined;
}

export interface OutboundResponse {
  status: number;
  /** Lower-case names; repeated ones are joined with a comma. */
  headers: Record<string, string>;
  /** The raw bytes, never decompressed. */
  body: Buffer;
  /** Why the address was allowed. */
  permission: Permission;
}

/**
 * Sends a request to an untrusted URL. Follows no redirects, reads at most 1 MB and takes at most
 * 15 seconds, 5 of them to connect. No byte is sent to an address that the rules do not allow.
 * Throws an `OutboundError`.
 */
export async function fetchOutbound(outbound: OutboundRequest): Promise<OutboundResponse> {
  const { url, limits = {}, rules = configuredRules() } = outbound;
  const deadline = new AbortController();
  const total = startTimeout(deadline, limits.totalTimeoutMs ?? TOTAL_TIMEOUT_MS, "answer");
  const toConnect = startTimeout(deadline, CONNECT_TIMEOUT_MS, "connect");
  const idleKey = idleKeyOf(outbound);
  let connection: Connection | undefined;
  let reusable = false;
  try {
    connection = await connect(url, rules, deadline.signal, idleKey);
    clearTimeout(toConnect);
    const { socket, peer } = connection;
    const bytesMax = limits.responseBytesMax ?? RESPONSE_BYTES_MAX;
    const keep = idleKey !== undefined && (() => keepIdle(idleKey, socket, peer.address));
    const response = await exchange(outbound, socket, deadline.signal, bytesMax, keep);
    reusable = response.reusable;
    const { status, headers, body } = response;
    return { status, headers, body, permission: peer.permission };
  } finally {
    clearTimeout(total);
    clearTimeout(toConnect);
    if (!reusable) connection?.socket.destroy();
  }
}

/**
 * No key for a GET or DELETE with a body: some servers ignore the body and would read it as the
 * next request.
 */
function idleKeyOf({ url, method = "GET", body, connectionGroup }: OutboundRequest) {
  if (connectionGroup === undefined || (body && !WITH_BODY.includes(method))) return undefined;
  return `${connectionGroup} ${url.origin}`;
}

const WITH_BODY = ["POST", "PUT", "PATCH"];

function startTimeout(controller: AbortController, milliseconds: number, what: string) {
  const message = `The target did not ${what} within ${milliseconds / 1000} seconds.`;
  return setTimeout(() => controller.abort(new OutboundError("timeout", message)), milliseconds);
}

/** Calls `keep`, if given, once the connection is ready for another request. */
function exchange(
  { url, method = "GET", headers = [], body = null }: OutboundRequest,
  socket: Socket,
  deadline: AbortSignal,
  bytesMax: number,
  keep: (() => void) | false,
): Promise<Omit<OutboundResponse, "permission"> & { reusable: boolean }> {
  return new Promise((resolve, reject) => {
    let status: number | null = null;
    let retryAfter: string | undefined;
    let received = 0;
    let size = 0;
    let interim = 0;
    const end = (settle: () => void) => {
      deadline.removeEventListener("abort", onDeadline);
      socket.off("data", onRead);
      settle();
    };
    const fail = (error: unknown) =>
      end(() =>
        reject(Object.assign(toOutboundError(error, status), { connected: true, retryAfter })),
      );
    const tooLarge = (message: string) =>
      fail(new OutboundError("response_too_large", message, status));
    const onRead = (bytes: Buffer) => {
      received += bytes.length;
      if (received - size > OVERHEAD_BYTES_MAX) {
        tooLarge(`The response has more than ${OVERHEAD_BYTES_MAX} bytes besides its body.`);
      }
    };
    const onDeadline = () => fail(new OutboundError("timeout", deadline.reason.message, status));
    if (deadline.aborted) return onDeadline();
    deadline.addEventListener("abort", onDeadline, { once: true });

    const request = http.request({
      createConnection: () => socket,
      method,
      path: url.pathname + url.search,
      headers: Object.fromEntries(headerLines(url, headers, method, body, keep !== false)),
      setHost: false,
    });
    request.on("error", fail);
    // After the parser's own listener, which updates `size`.
    request.on("socket", () => socket.on("data", onRead));
    request.on("information", () => {
      interim += 1;
      if (interim > INTERIM_RESPONSES_MAX) {
        tooLarge(`The target sent more than ${INTERIM_RESPONSES_MAX} interim responses.`);
      }
    });
    request.on("upgrade", (response) =>
      end(() => resolve({ ...head(response), body: Buffer.alloc(0), reusable: false })),
    );
    request.on("response", (response) => {
      status = response.statusCode ?? null;
      retryAfter = response.headers["retry-after"];
      let chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > bytesMax) return tooLarge(`The response has more than ${bytesMax} bytes.`);
        chunks.push(chunk);
        if (chunks.length === CHUNKS_MAX) chunks = [Buffer.concat(chunks)];
      });
      response.on("error", fail);
      response.on("end", () => {
        const reusable = keep !== false && request.shouldKeepAlive && request.writableFinished;
        if (reusable) request.once("close", keep);
        end(() => resolve({ ...head(response), body: Buffer.concat(chunks), reusable }));
      });
    });
    request.end(body ?? undefined);
  });
}

/** A body always has a `Content-Length`, and header names are merged case-insensitively. */
function headerLines(
  url: URL,
  headers: Iterable<readonly [string, string]>,
  method: string,
  body: Uint8Array | null,
  keepAlive: boolean,
): Iterable<[string, string | string[]]> {
  const lines = new Map<string, [string, string | string[]]>([["host", ["Host", url.host]]]);
  if (body !== null || WITH_BODY.includes(method)) {
    lines.set("content-length", ["Content-Length", String(body?.length ?? 0)]);
  }
  for (const [name, value] of headers) {
    const known = lines.get(name.toLowerCase());
    if (known) known[1] = [known[1], value].flat();
    else lines.set(name.toLowerCase(), [name, value]);
  }
  lines.set("connection", ["Connection", keepAlive ? "keep-alive" : "close"]);
  return lines.values();
}

function head(response: http.IncomingMessage) {
  const headers = new Map<string, string>();
  const raw = response.rawHeaders.values();
  for (const name of raw) {
    const key = name.toLowerCase();
    const value = raw.next().value ?? "";
    const former = headers.get(key);
    headers.set(key, former === undefined ? value : `${former}, ${value}`);
  }
  return { status: response.statusCode ?? 0, headers: Object.fromEntries(headers) };
}

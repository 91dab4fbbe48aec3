import http from "node:http";
import net from "node:net";
import type { ClaimSetSetting } from "@/lib/resources/claims/contract";
import { assertDeclared } from "./declared";

/**
 * An HTTP client on `node:http` that sends exactly what a test says (a body with GET, no content
 * type, a forged Host, repeated headers, invalid JSON) and follows no redirect.
 */
export interface CallOptions {
  /** An API key, sent as `Authorization: Bearer`. */
  key?: string;
  /** Sent as JSON with `Content-Type: application/json`. */
  body?: unknown;
  /** Sent unchanged, without a content type. An iterable is sent in chunks, without a length. */
  raw?: string | Uint8Array | AsyncIterable<Uint8Array>;
  headers?: Record<string, string | string[]>;
  query?: Record<string, string | number | Array<string | number> | undefined>;
}

/** The fields of all responses; each has some of them. */
export interface Body {
  id: string;
  object: string;
  organization_id: string | null;
  name: string;
  description: string | null;
  priority: string;
  due_at: number | null;
  labels: string[];
  external_id: string | null;
  created_at: number;
  updated_at: number;
  content: string;
  format: string;
  size: number;
  raw_url: string;
  status: string;
  state: string;
  scheduled_at: number;
  event_count: number;
  event_id: string;
  url: string;
  expires_at: number | null;
  claim_token: string;
  claim_url: string;
  claim_link: string;
  view_url: string;
  share_url: string;
  answer_url: string;
  answer: string | null;
  answered_at: number | null;
  held: boolean;
  survived_claim: boolean;
  survives_claim: boolean;
  settings: ClaimSetSetting[];
  data: Body[];
  has_more: boolean;
  next_cursor: string | null;
  total_count: number;
  error: {
    type: string;
    code: string;
    message: string;
    param: string | null;
    doc_url: string;
    request_id: string;
  };
}

export class ApiResponse {
  readonly status: number;
  readonly bytes: Buffer;
  readonly headers: ResponseHeaders;

  constructor(status: number, rawHeaders: string[], bytes: Buffer) {
    this.status = status;
    this.bytes = bytes;
    this.headers = new ResponseHeaders(rawHeaders);
  }

  get text() {
    return this.bytes.toString("utf8");
  }

  /** The parsed JSON; throws with the text when it is not JSON. */
  get body(): Body {
    try {
      return JSON.parse(this.text);
    } catch {
      throw new Error(
        `Not a JSON response: ${this.status} ${JSON.stringify(this.text.slice(0, 500))}`,
      );
    }
  }
}

export function jsonOf<T>(response: ApiResponse): T {
  return JSON.parse(response.text);
}

export class ResponseHeaders {
  readonly pairs: Array<[name: string, value: string]> = [];

  constructor(raw: string[]) {
    for (let i = 0; i < raw.length; i += 2)
      this.pairs.push([(raw[i] ?? "").toLowerCase(), raw[i + 1] ?? ""]);
  }

  get(name: string): string | null {
    const values = this.all(name);
    return values.length > 0 ? values.join(", ") : null;
  }

  /** The value of a header that the response must have. */
  need(name: string): string {
    const value = this.get(name);
    if (value === null) throw new Error(`The response has no ${name}.`);
    return value;
  }

  all(name: string): string[] {
    return this.pairs.filter(([known]) => known === name.toLowerCase()).map(([, value]) => value);
  }

  /** The members of a comma-separated header in lower case, sorted: `Allow`, `Access-Control-*`. */
  members(name: string): string[] {
    return (this.get(name) ?? "")
      .split(",")
      .map((member) => member.trim().toLowerCase())
      .filter(Boolean)
      .sort();
  }
}

export type Api = (method: string, path: string, options?: CallOptions) => Promise<ApiResponse>;

/**
 * Connections for many calls, since a new one takes as much CPU time as a small request. They end long
 * before our server would close them.
 */
export const reused = new http.Agent({ keepAlive: true, timeout: 5000 });

/**
 * A client of the server on this base URL's port of 127.0.0.1, by default with a connection for each
 * call. Throws on an undeclared status or error code.
 */
export function apiOf(baseUrl: string, agent: http.Agent | false = false): Api {
  return async (method, path, options = {}) => {
    const response = await call(baseUrl, method, path, options, agent);
    assertDeclared(method, path, response);
    return response;
  };
}

/** One call; any status is allowed. */
export function call(
  baseUrl: string,
  method: string,
  path: string,
  options: CallOptions,
  agent: http.Agent | false = false,
): Promise<ApiResponse> {
  const { payload, isReadAtOnce, headers } = prepared(options);
  const request = http.request({
    host: "127.0.0.1",
    port: new URL(baseUrl).port,
    method,
    path: path + queryString(options.query),
    headers: { host: new URL(baseUrl).host, ...headers },
    // A refusal may leave a long body unread, or one that was only announced.
    agent: isReadAtOnce && agent,
  });
  const response = responseTo(request);
  if (payload === undefined || typeof payload === "string" || payload instanceof Uint8Array)
    request.end(payload);
  else void writeChunks(request, payload);
  return response;
}

const FRAMING = ["connection", "content-length", "expect", "transfer-encoding"];
/** Arrives with the head of its request. */
const SHORT_LENGTH = 10_000;

function prepared({ key, body, raw, headers }: CallOptions) {
  const given = Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const payload = body === undefined ? raw : JSON.stringify(body);
  const length =
    typeof payload === "string" || payload instanceof Uint8Array
      ? Buffer.byteLength(payload)
      : undefined;
  const isShort = payload === undefined || (length !== undefined && length < SHORT_LENGTH);
  return {
    payload,
    isReadAtOnce: isShort && FRAMING.every((name) => !(name in given)),
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(length === undefined ? {} : { "content-length": String(length) }),
      ...given,
    },
  };
}

function queryString(query: CallOptions["query"]) {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value ?? []].flat()).map((one) => [name, String(one)]),
  );
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : "";
}

function responseTo(request: http.ClientRequest): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    request.on("error", reject);
    request.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        resolve(
          new ApiResponse(response.statusCode ?? 0, response.rawHeaders, Buffer.concat(chunks)),
        );
        if (!request.shouldKeepAlive) request.destroy();
      });
    });
  });
}

/** Writes as fast as the server reads, and stops once it has responded. */
async function writeChunks(request: http.ClientRequest, chunks: AsyncIterable<Uint8Array>) {
  for await (const chunk of chunks) {
    if (request.destroyed) return;
    if (!request.write(chunk)) await drained(request);
  }
  request.end();
}

function drained(request: http.ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      request.off("drain", go).off("close", go);
      resolve();
    };
    request.once("drain", go).once("close", go);
  });
}

/** Sends raw bytes and returns everything received until the server closes or `until` matches. */
export function exchange(baseUrl: string, bytes: string, until: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(new URL(baseUrl).port), "127.0.0.1", () =>
      socket.write(bytes, "latin1"),
    );
    let received = "";
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => {
      received += text;
      if (until.test(received)) socket.destroy();
    });
    // A server that refuses resets the connection some time after its answer.
    socket.on("error", (error) => (until.test(received) ? resolve(received) : reject(error)));
    socket.on("close", () => resolve(received));
  });
}

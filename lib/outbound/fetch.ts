import http from "node:http";
import type { Socket } from "node:net";
import { connect } from "./connect";
import { OutboundError, toOutboundError } from "./error";
import { type AddressRules, configuredRules, type Opening } from "./policy";

export const CONNECT_TIMEOUT_MS = 5000;
export const TOTAL_TIMEOUT_MS = 15_000;
export const RESPONSE_BYTES_MAX = 1_000_000;

export interface OutboundRequest {
  /** http or https. */
  url: URL;
  method?: string;
  /** Sent as they are written, after `Host` and `Content-Length`; a name may repeat. */
  headers?: Iterable<readonly [string, string]>;
  body?: Uint8Array | null;
  limits?: { connectTimeoutMs?: number; totalTimeoutMs?: number; responseBytesMax?: number };
  /** Where the request may go; the configuration's rules when left out. */
  rules?: AddressRules;
}

export interface OutboundResponse {
  status: number;
  /** Lower-case names; repeated ones are joined with a comma. */
  headers: Record<string, string>;
  /** The bytes as they came, never inflated. */
  body: Buffer;
  /** Why the address was open. */
  opening: Opening;
}

/**
 * Sends one request to an address that a stranger chose. It follows no redirect, keeps no connection,
 * reads at most 1 MB of the answer, and takes at most 15 seconds, 5 of them until it is connected.
 * Throws an `OutboundError`; no byte reaches an address that the rules do not open.
 */
export async function fetchOutbound(outbound: OutboundRequest): Promise<OutboundResponse> {
  const { url, limits = {}, rules = configuredRules() } = outbound;
  const deadline = new AbortController();
  const total = expire(deadline, limits.totalTimeoutMs ?? TOTAL_TIMEOUT_MS, "answer");
  const toConnect = expire(deadline, limits.connectTimeoutMs ?? CONNECT_TIMEOUT_MS, "connect");
  let socket: Socket | undefined;
  try {
    const connection = await connect(url, rules, deadline.signal);
    clearTimeout(toConnect);
    socket = connection.socket;
    const bytesMax = limits.responseBytesMax ?? RESPONSE_BYTES_MAX;
    const response = await exchange(outbound, socket, deadline.signal, bytesMax);
    return { ...response, opening: connection.peer.opening };
  } finally {
    clearTimeout(total);
    clearTimeout(toConnect);
    socket?.destroy();
  }
}

function expire(controller: AbortController, milliseconds: number, what: string) {
  const message = `The target did not ${what} within ${milliseconds / 1000} seconds.`;
  return setTimeout(() => controller.abort(new OutboundError("timeout", message)), milliseconds);
}

function exchange(
  { url, method = "GET", headers = [], body = null }: OutboundRequest,
  socket: Socket,
  deadline: AbortSignal,
  bytesMax: number,
): Promise<Omit<OutboundResponse, "opening">> {
  return new Promise((resolve, reject) => {
    let status: number | null = null;
    const end = (settle: () => void) => {
      deadline.removeEventListener("abort", onDeadline);
      settle();
    };
    const fail = (error: unknown) =>
      end(() => reject(Object.assign(toOutboundError(error, status), { connected: true })));
    const onDeadline = () => fail(new OutboundError("timeout", deadline.reason.message, status));
    if (deadline.aborted) return onDeadline();
    deadline.addEventListener("abort", onDeadline, { once: true });

    const request = http.request({
      createConnection: () => socket,
      method,
      path: url.pathname + url.search,
      headers: Object.fromEntries(headerLines(url, headers, method, body)),
      setHost: false,
    });
    request.on("error", fail);
    request.on("upgrade", (response) =>
      end(() => resolve({ ...head(response), body: Buffer.alloc(0) })),
    );
    request.on("response", (response) => {
      status = response.statusCode ?? null;
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size <= bytesMax) chunks.push(chunk);
        else
          fail(
            new OutboundError(
              "response_too_large",
              `The answer has more than ${bytesMax} bytes.`,
              status,
            ),
          );
      });
      response.on("error", fail);
      response.on("end", () =>
        end(() => resolve({ ...head(response), body: Buffer.concat(chunks) })),
      );
    });
    request.end(body ?? undefined);
  });
}

/** A body always has its length, with every method; names that differ in case only are one header. */
function headerLines(
  url: URL,
  headers: Iterable<readonly [string, string]>,
  method: string,
  body: Uint8Array | null,
): Iterable<[string, string | string[]]> {
  const lines = new Map<string, [string, string | string[]]>([["host", ["Host", url.host]]]);
  if (body !== null || ["POST", "PUT", "PATCH"].includes(method)) {
    lines.set("content-length", ["Content-Length", String(body?.length ?? 0)]);
  }
  for (const [name, value] of headers) {
    const known = lines.get(name.toLowerCase());
    if (known) known[1] = [known[1], value].flat();
    else lines.set(name.toLowerCase(), [name, value]);
  }
  return lines.values();
}

function head(response: http.IncomingMessage) {
  const headers = new Map<string, string>();
  for (const [name, values] of Object.entries(response.headersDistinct)) {
    headers.set(name, (values ?? []).join(", "));
  }
  return { status: response.statusCode ?? 0, headers: Object.fromEntries(headers) };
}

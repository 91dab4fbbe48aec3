import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { isTrustedProxy } from "@/lib/platform/http/address";
import { stopping } from "@/lib/platform/process";
import { REQUEST_TIMEOUT, rejectRequest } from "./client-error";
import type { ResponseMemory } from "./response-memory";

const CHECK_MS = 1000;
/** Minimum progress of an upload per `UPLOAD_PAUSE_MS`. */
export const UPLOAD_PROGRESS_BYTES = 10_000;
/** The minimum for operations with a longer upload time, where a device may stream slowly. */
export const SLOW_UPLOAD_PROGRESS_BYTES = 1000;
export const UPLOAD_PAUSE_MS = 10_000;
/** Upload time, unless the operation allows more. */
export const UPLOAD_SECONDS_MAX = 30;
/** A client that reads nothing for this long is disconnected. */
export const READ_PAUSE_MS = 30_000;
/** How many unfinished requests a connection may have, and how many bytes of the waiting ones. */
const PIPELINED_MAX = 100;
const PIPELINED_BYTES_MAX = 100_000;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  address: string;
  /** When its turn started. */
  started: number;
  /** Time limit for the body. */
  uploadMsMax: number;
  uploadProgressBytes: number;
  /** Bytes received by the last progress, and its time. */
  arrived: number;
  progressAt: number;
  /** Whether its connection has `READ_PAUSE_MS` as its timeout. */
  readLimited: boolean;
  /** Set while the request waits for its turn. */
  stopWaiting?: () => void;
}

/**
 * The requests of each connection. They run one at a time, each after the response to the one
 * before: Node emits `close` only for the response that owns the connection, so a waiting one could
 * never release what it took if the client left. Checks once a second, and ends those whose client
 * is too slow.
 */
export class Exchanges {
  readonly #responses: ResponseMemory;
  /** Requests by connection, the running one first. A finished one leaves with the next request. */
  readonly #open = new Map<Socket, Exchange[]>();

  constructor(responses: ResponseMemory) {
    this.#responses = responses;
    setInterval(() => this.#look(), CHECK_MS).unref();
    stopping.signal.addEventListener("abort", () => {
      for (const exchanges of this.#open.values()) {
        for (const { response } of exchanges) closeAfter(response);
      }
    });
  }

  /**
   * Resolves to true when it is the request's turn; returns true without a promise if the
   * connection has no other open request. False when its connection is closed: the client left or
   * pipelined too much, or the server is stopping and its proxy has other servers.
   */
  begin(
    request: IncomingMessage,
    response: ServerResponse,
    { address, uploadSecondsMax }: { address: string; uploadSecondsMax: number },
  ): boolean | Promise<boolean> {
    const { socket } = request;
    const exchanges = this.#exchangesOn(socket);
    if (exchanges[0]?.response.closed) exchanges.shift();
    const pipelined = socket.bytesRead - (exchanges[1]?.arrived ?? socket.bytesRead);
    if (exchanges.length >= PIPELINED_MAX || pipelined > PIPELINED_BYTES_MAX) {
      socket.destroy();
      return false;
    }
    if (stopping.signal.aborted) {
      if (exchanges.length === 0 && isRepeatable(request)) {
        socket.destroy();
        return false;
      }
      closeAfter(response);
    }
    const started = performance.now();
    const exchange: Exchange = {
      request,
      response,
      address,
      started,
      uploadMsMax: Math.max(uploadSecondsMax, UPLOAD_SECONDS_MAX) * 1000,
      uploadProgressBytes:
        uploadSecondsMax > UPLOAD_SECONDS_MAX ? SLOW_UPLOAD_PROGRESS_BYTES : UPLOAD_PROGRESS_BYTES,
      arrived: socket.bytesRead,
      progressAt: started,
      readLimited: false,
    };
    const previous = exchanges.at(-1);
    exchanges.push(exchange);
    return previous ? this.#turnAfter(previous, exchange, exchanges) : true;
  }

  async #turnAfter(previous: Exchange, exchange: Exchange, exchanges: Exchange[]) {
    await new Promise<void>((resolve) => {
      previous.response.once("close", resolve);
      exchange.stopWaiting = resolve;
    });
    exchanges.splice(0, exchanges.indexOf(exchange));
    exchange.started = exchange.progressAt = performance.now();
    exchange.readLimited = previous.readLimited;
    return exchange.request.socket.writable;
  }

  #exchangesOn(socket: Socket): Exchange[] {
    const known = this.#open.get(socket);
    if (known) return known;
    const exchanges: Exchange[] = [];
    this.#open.set(socket, exchanges);
    socket.once("close", () => {
      this.#open.delete(socket);
      for (const { stopWaiting } of exchanges) stopWaiting?.();
    });
    return exchanges;
  }

  #look() {
    const now = performance.now();
    for (const [exchange] of this.#open.values()) {
      if (!exchange || exchange.response.closed) continue;
      const { request, response } = exchange;
      if (!request.complete && !response.headersSent) checkUpload(exchange, now);
      this.#lookAtReader(exchange);
    }
  }

  #lookAtReader(exchange: Exchange) {
    const { response, address } = exchange;
    this.#responses.observe(response, address);
    const isUnread = response.writableLength > 0;
    if (isUnread === exchange.readLimited) return;
    exchange.readLimited = isUnread;
    // Every byte that the client reads resets this; on timeout Node ends the connection.
    response.socket?.setTimeout(isUnread ? READ_PAUSE_MS : 0);
  }
}

function checkUpload(exchange: Exchange, now: number) {
  const { request, response } = exchange;
  const { bytesRead } = request.socket;
  // A client that our own backpressure blocks is not slow.
  const waitsForUs = request.readableLength >= request.readableHighWaterMark;
  if (waitsForUs || bytesRead - exchange.arrived >= exchange.uploadProgressBytes) {
    exchange.arrived = bytesRead;
    exchange.progressAt = now;
  }
  const tooSlow =
    now - exchange.progressAt > UPLOAD_PAUSE_MS || now - exchange.started > exchange.uploadMsMax;
  if (!tooSlow) return;
  rejectRequest(REQUEST_TIMEOUT, request.socket);
  response.destroy();
}

/**
 * Whether a proxy may send the request to another server (RFC 9110 §9.2.2). nginx does, and then
 * avoids this server for a while, so that no POST arrives just as it closes.
 */
function isRepeatable({ method, headers, socket }: IncomingMessage): boolean {
  return (
    (method === "GET" || method === "HEAD") &&
    headers["x-forwarded-for"] !== undefined &&
    isTrustedProxy(socket.remoteAddress)
  );
}

function closeAfter(response: ServerResponse) {
  if (!response.headersSent) response.shouldKeepAlive = false;
}

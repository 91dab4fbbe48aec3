import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { isTrustedProxy } from "@/lib/http/address";
import { stopping } from "@/lib/process";
import { REQUEST_TIMEOUT, rejectRequest } from "./client-error";
import type { ResponseMemory } from "./response-memory";

const CHECK_MS = 1000;
/** Minimum progress of an upload per `UPLOAD_PAUSE_MS`. */
const UPLOAD_PROGRESS_BYTES = 10_000;
/** The same for operations with a longer upload time, where a device may stream slowly. */
const SLOW_UPLOAD_PROGRESS_BYTES = 1000;
const UPLOAD_PAUSE_MS = 10_000;
/** Upload time, unless the operation allows more. */
const UPLOAD_SECONDS_MAX = 30;
/** A client that reads nothing for this long is disconnected. */
const READ_PAUSE_MS = 30_000;
/** Pipelined requests per connection. */
const PIPELINED_MAX = 100;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  address: string;
  started: number;
  /** Time limit for the body. */
  uploadMsMax: number;
  uploadProgressBytes: number;
  /** Bytes received at the last progress, and its time. */
  arrived: number;
  progressAt: number;
  readLimited: boolean;
}

/** The running requests. Checks once a second and ends those whose client is too slow. */
export class Exchanges {
  readonly #responses: ResponseMemory;
  /**
   * By connection. Closed ones are removed at the next request or check, which is cheaper than a
   * listener for each.
   */
  readonly #running = new Map<Socket, Exchange[]>();

  constructor(responses: ResponseMemory) {
    this.#responses = responses;
    setInterval(() => this.#look(), CHECK_MS).unref();
    stopping().signal.addEventListener("abort", () => {
      for (const exchanges of this.#running.values()) {
        for (const { response } of exchanges) closeAfter(response);
      }
    });
  }

  /**
   * Returns false after closing the connection: it pipelined too many requests, or the server is
   * stopping and its proxy has other servers.
   */
  begin(
    request: IncomingMessage,
    response: ServerResponse,
    { address, uploadSecondsMax }: { address: string; uploadSecondsMax: number },
  ): boolean {
    const { socket } = request;
    const running = this.#runningOn(socket);
    if (running.length >= PIPELINED_MAX) {
      socket.destroy();
      return false;
    }
    if (stopping().signal.aborted) {
      if (running.length === 0 && isRepeatable(request)) {
        socket.destroy();
        return false;
      }
      closeAfter(response);
    }
    const started = performance.now();
    running.push({
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
    });
    return true;
  }

  #runningOn(socket: Socket): Exchange[] {
    const known = this.#running.get(socket);
    if (known) {
      removeClosed(known);
      return known;
    }
    const running: Exchange[] = [];
    this.#running.set(socket, running);
    socket.once("close", () => this.#running.delete(socket));
    return running;
  }

  #look() {
    const now = performance.now();
    for (const running of this.#running.values()) {
      removeClosed(running);
      for (const exchange of running) {
        const { request, response } = exchange;
        if (!request.complete && !response.headersSent) checkUpload(exchange, now);
        this.#lookAtReader(exchange);
      }
    }
  }

  #lookAtReader(exchange: Exchange) {
    const { response, address } = exchange;
    this.#responses.observe(response, address);
    if (response.writableLength === 0 || exchange.readLimited) return;
    exchange.readLimited = true;
    // Reset by every byte the client reads; on timeout Node ends the connection.
    response.socket?.setTimeout(READ_PAUSE_MS);
  }
}

/** Responses are sent in request order, so closed ones come first. */
function removeClosed(running: Exchange[]) {
  while (running[0]?.response.closed) running.shift();
}

function checkUpload(exchange: Exchange, now: number) {
  const { request, response } = exchange;
  const { bytesRead } = request.socket;
  // A client blocked by our own backpressure is not slow.
  const waitsForUs = request.readableLength >= request.readableHighWaterMark;
  if (waitsForUs || bytesRead - exchange.arrived >= exchange.uploadProgressBytes) {
    exchange.arrived = bytesRead;
    exchange.progressAt = now;
  }
  const tooSlow =
    now - exchange.progressAt > UPLOAD_PAUSE_MS || now - exchange.started > exchange.uploadMsMax;
  if (!tooSlow) return;
  rejectRequest(REQUEST_TIMEOUT, request.socket);
  request.socket.destroySoon();
  response.destroy();
}

/**
 * Whether a proxy may send the request to another server (RFC 9110 §9.2.2). nginx does, and sends
 * this one nothing more for a while, so that no POST arrives in the moment when it closes.
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

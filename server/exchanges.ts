import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { stopping } from "@/lib/process";
import type { Answers } from "./answers";
import { refuseMalformed, TOO_SLOW } from "./client-error";

const LOOK_MS = 1000;
/** A body that is still arriving must bring this many bytes every `UPLOAD_PAUSE_MS`. */
const UPLOAD_PROGRESS_BYTES = 10_000;
/** The same where an operation gives its callers longer than usual: a device may stream slowly. */
const SLOW_UPLOAD_PROGRESS_BYTES = 1000;
const UPLOAD_PAUSE_MS = 10_000;
/** How long a client may take to send a body, where no operation allows more. */
const UPLOAD_SECONDS_MAX = 30;
/** A reader who takes no byte for so long is gone. */
const READ_PAUSE_MS = 30_000;
/** Requests that one connection may send ahead of their answers. */
const PIPELINED_MAX = 100;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  address: string;
  started: number;
  /** How long the client may take to send the body. */
  uploadMsMax: number;
  uploadProgressBytes: number;
  /** What had arrived at the last sign of progress, and when that was. */
  arrived: number;
  progressAt: number;
  readLimited: boolean;
}

/** The requests that run now. Once a second it ends those whose client is too slow. */
export class Exchanges {
  readonly #answers: Answers;
  readonly #running = new Set<Exchange>();
  readonly #onSocket = new WeakMap<Socket, number>();

  constructor(answers: Answers) {
    this.#answers = answers;
    setInterval(() => this.#look(), LOOK_MS).unref();
    stopping().signal.addEventListener("abort", () => {
      for (const { response } of this.#running) leaveAfter(response);
    });
  }

  /** False: the connection has sent too many requests ahead, and is closed. */
  begin(
    request: IncomingMessage,
    response: ServerResponse,
    { address, uploadSecondsMax }: { address: string; uploadSecondsMax: number },
  ): boolean {
    const { socket } = request;
    const ahead = this.#onSocket.get(socket) ?? 0;
    if (ahead >= PIPELINED_MAX) {
      socket.destroy();
      return false;
    }
    this.#onSocket.set(socket, ahead + 1);
    if (stopping().signal.aborted) leaveAfter(response);
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
    this.#running.add(exchange);
    response.once("close", () => {
      this.#running.delete(exchange);
      this.#onSocket.set(socket, (this.#onSocket.get(socket) ?? 1) - 1);
    });
    return true;
  }

  #look() {
    const now = performance.now();
    for (const exchange of this.#running) {
      if (!exchange.request.complete && !exchange.response.headersSent) lookAtUpload(exchange, now);
      this.#lookAtReader(exchange);
    }
  }

  #lookAtReader(exchange: Exchange) {
    const { response, address } = exchange;
    this.#answers.observe(response, address);
    if (response.writableLength === 0 || exchange.readLimited) return;
    exchange.readLimited = true;
    // Node sees each byte that the reader takes, and ends the connection when there is none.
    response.socket?.setTimeout(READ_PAUSE_MS);
  }
}

function lookAtUpload(exchange: Exchange, now: number) {
  const { request, response } = exchange;
  const { bytesRead } = request.socket;
  // A client that waits until we have read what came is not slow.
  const waitsForUs = request.readableLength >= request.readableHighWaterMark;
  if (waitsForUs || bytesRead - exchange.arrived >= exchange.uploadProgressBytes) {
    exchange.arrived = bytesRead;
    exchange.progressAt = now;
  }
  const tooSlow =
    now - exchange.progressAt > UPLOAD_PAUSE_MS || now - exchange.started > exchange.uploadMsMax;
  if (!tooSlow) return;
  refuseMalformed(TOO_SLOW, request.socket);
  request.socket.destroySoon();
  response.destroy();
}

function leaveAfter(response: ServerResponse) {
  if (!response.headersSent) response.shouldKeepAlive = false;
}

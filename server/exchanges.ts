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
  /** By connection. What has closed goes at the next request or look, as a listener for each costs more. */
  readonly #running = new Map<Socket, Exchange[]>();

  constructor(answers: Answers) {
    this.#answers = answers;
    setInterval(() => this.#look(), LOOK_MS).unref();
    stopping().signal.addEventListener("abort", () => {
      for (const exchanges of this.#running.values()) {
        for (const { response } of exchanges) leaveAfter(response);
      }
    });
  }

  /** False: the connection has sent too many requests ahead, and is closed. */
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
    if (stopping().signal.aborted) leaveAfter(response);
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
        if (!request.complete && !response.headersSent) lookAtUpload(exchange, now);
        this.#lookAtReader(exchange);
      }
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

/** Answers leave in the order of their requests, so those that have closed come first. */
function removeClosed(running: Exchange[]) {
  while (running[0]?.response.closed) running.shift();
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

import { IncomingMessage, type ServerResponse } from "node:http";
import { ApiError } from "@/lib/platform/errors";
import { toApiError } from "@/lib/platform/http/error-envelope";
import { assertForm } from "@/lib/platform/http/form-size";
import { refusedPage } from "@/lib/platform/http/missing-page";
import { Gate } from "@/lib/platform/limits/gate";
import type { PageTurn } from "@/lib/platform/limits/page-turn";
import { HeldBody } from "./body-memory";
import type { ByteBudget } from "./byte-budget";
import { NodeHeaders, sendContinue } from "./node-request";

/** The largest artifact in the editor. Next refuses other forms above 5 MB (next.config.ts). */
const FORM_BYTES_MAX = 13_500_000;

/** Whether Next ignores the request's body. It buffers others, even where no page takes one. */
export function isRead({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD";
}

/** Renders pages and runs forms a few at a time, fairly between networks: they cost CPU time. */
export class PageTurns {
  readonly #bodies: ByteBudget;
  readonly #gate = new Gate({
    running: 4,
    aside: 12,
    runningPerNetwork: 2,
    waiting: 500,
    waitingPerNetwork: 50,
    waitMsMax: 10_000,
    turnMsMax: 30_000,
    message: "Too many pages at once. Try again in a moment.",
  });

  constructor(bodies: ByteBudget) {
    this.#bodies = bodies;
  }

  /**
   * Resolves in its turn to the request with its body, the turn, and what to call once the page's
   * handler has ended. Undefined if refused or disconnected.
   */
  async take(
    request: IncomingMessage,
    response: ServerResponse,
    { address }: { address: string },
  ): Promise<{ received: IncomingMessage; turn: PageTurn; end(): void } | undefined> {
    if (response.closed) return undefined; // no `close` would end its wait
    const held = new HeldBody(this.#bodies, address);
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const { signal } = gone;
    try {
      const received = isRead(request)
        ? request
        : await receive(request, response, { held, signal });
      const turn = await this.#gate.enter(address, signal);
      const end = () => {
        turn.end();
        held.release();
      };
      afterEnd(response, end);
      return { received, turn: { signal, hasBegun: false, ...turn }, end };
    } catch (error) {
      held.release();
      if (signal.aborted) return undefined;
      const refused = refusedPage(new NodeHeaders(request), toApiError(error));
      response.writeHead(refused.status, refused.headers).end(refused.body);
      return undefined;
    }
  }
}

/**
 * Calls `done` as soon as Next ends the response: the page is rendered then, even if its client reads
 * slowly. When the client leaves, Next goes on rendering, so `close` says nothing; and if it leaves
 * after this, Next's handler may never settle.
 */
function afterEnd(response: ServerResponse, done: () => void) {
  const { end } = response;
  response.end = (...last: unknown[]) => {
    done();
    return Reflect.apply(end, response, last);
  };
}

/** The request once its whole body has arrived, so that a slow sender holds no turn. */
async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { held, signal }: { held: HeldBody; signal: AbortSignal },
): Promise<IncomingMessage> {
  sendContinue(request, response);
  const received = new IncomingMessage(request.socket);
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } =
    request;
  const described = { method, url, headers, rawHeaders };
  Object.assign(received, described, { httpVersion, httpVersionMajor, httpVersionMinor });
  let size = 0;
  const chunks: Buffer[] = [];
  // Stopping early must not destroy the socket, which the response needs.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    signal.throwIfAborted();
    held.add(chunk.length);
    size += chunk.length;
    if (size > FORM_BYTES_MAX) throw new ApiError("payload_too_large", "The form is too large.");
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  assertForm(body, new NodeHeaders(request), url ?? "");
  received.push(body);
  received.push(null);
  received.complete = true;
  return received;
}

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import { constants } from "node:zlib";
import compression from "compression";
import { operations } from "@/lib/api/registry";
import { errorResponse, respond } from "@/lib/api/route";
import { routerOf } from "@/lib/api/router";
import { config } from "@/lib/platform/config/config";
import { newId } from "@/lib/platform/db/ids";
import { readsText } from "@/lib/platform/http/accept";
import { forwardedAddress } from "@/lib/platform/http/address";
import { REQUEST_ID_HEADER } from "@/lib/platform/http/missing-page";
import type { Operation } from "@/lib/platform/http/operation";
import { atRequestedOrigin } from "@/lib/platform/http/own-origin";
import { splitUrl } from "@/lib/platform/http/request";
import type { HttpResponse } from "@/lib/platform/http/response";
import { pageTurn } from "@/lib/platform/limits/page-turn";
import { responseHold } from "@/lib/platform/limits/response-hold";
import { HeldBody, memoryLimits } from "./body-memory";
import { ByteBudget } from "./byte-budget";
import { LINGER_MS, rejectRequest } from "./client-error";
import { CompressedDocuments } from "./compressed-documents";
import { Exchanges } from "./exchanges";
import { HomePage, type NodeHandler } from "./home-page";
import { NodeRequest, namesHost } from "./node-request";
import { explainFailures } from "./page-failures";
import { answerMethod } from "./page-methods";
import { pageNames } from "./page-names";
import { isRead, PageTurns } from "./page-turns";
import { recordPage } from "./record-page";
import { ResponseMemory } from "./response-memory";
import { isRouterState, ROUTER_STATE } from "./router-state";
import { StaticFiles } from "./static-files";

/**
 * Compresses pages with Brotli at a level that takes as long as gzip, the only coding that Next
 * has, whose output is a third larger. Pages are smaller than the window of 256 KiB, which bounds
 * the memory of larger responses.
 */
const compress = compression({
  brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 18 } },
  filter: (request, response) => !isExact(response) && compression.filter(request, response),
});

/**
 * Whether the response has a range or a strong ETag of the uncompressed bytes. Files that Next
 * sends have weak ETags.
 */
function isExact(response: ServerResponse): boolean {
  if (response.hasHeader("Content-Range")) return true;
  return response.hasHeader("Accept-Ranges") && String(response.getHeader("ETag")).startsWith('"');
}

/** Serves API paths from the registry (if `api` is on) and passes all others to Next. */
export function listener(pages: NodeHandler, { api }: { api: boolean }): NodeHandler {
  const operationsOn = routerOf(operations);
  const bodies = new ByteBudget(memoryLimits());
  const turns = new PageTurns(bodies);
  const responses = new ResponseMemory();
  const documents = new CompressedDocuments();
  const exchanges = new Exchanges(responses);
  const home = new HomePage(pages);
  const files = new StaticFiles();
  const pageOf = api ? pageNames() : undefined;
  return async (request, response) => {
    const address = clientAddressOf(request);
    const { path: asked, search } = splitUrl(request.url ?? "/");
    const path = asked === "/" && wantsText(request) ? "/llms.txt" : asked;
    // Drops the host of an absolute request target: Next would redirect to it.
    request.url = search === "" ? path : `${path}?${search}`;
    const found = operationsOn(path);
    const uploadSecondsMax = Math.max(0, ...(found ?? []).map((one) => one.uploadSecondsMax));
    const turn = exchanges.begin(request, response, { address, uploadSecondsMax });
    if (turn !== true && !(await turn)) return;
    // Node's own 400 would be empty.
    if (!namesHost(request)) return rejectRequest({}, request.socket);
    await atRequestedOrigin(request.headers.host, () =>
      serve(request, response, { path, found, address }),
    );
  };

  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    { path, found, address }: { path: string; found: Operation[] | undefined; address: string },
  ): Promise<void> {
    // Next would redirect an API path that begins with two slashes.
    if (api && (found || /^\/+api(\/|$)/.test(path))) {
      await serveApi(found ?? [], { request, response, address, bodies, responses, documents });
    } else {
      overwriteForwarding(request, address);
      sanitizeForNext(request, path);
      const hold = (result: HttpResponse) =>
        responses.holdResult(response, result, { address, refusable: true });
      const toNext = (received: IncomingMessage) =>
        responseHold.run(hold, () => pages(received, response));
      if (pageOf) {
        const requestId = assignRequestId(request, response);
        const page = pageOf(path);
        if (!page) request.url = MISSING;
        const { name, isRendered } = page ?? { name: null, isRendered: false };
        recordPage(request, response, { page: name, address, requestId });
        const hasMethods = isRendered || request.method === "TRACE";
        if (hasMethods && answerMethod(request, response, { path, requestId })) {
          return limitRemainingBody(request, response, !response.shouldKeepAlive);
        }
        const takesTurn = isRendered || !isRead(request);
        if (takesTurn) responses.takeWhole(response, address);
        compress(request, response, () => {});
        if (await home.serve(request, response)) return;
        if (await files.serve(request, response)) return;
        const taken = takesTurn ? await turns.take(request, response, { address }) : undefined;
        if (takesTurn && !taken) {
          return limitRemainingBody(request, response, !response.shouldKeepAlive);
        }
        explainFailures(request, response, taken?.turn);
        if (taken) {
          return pageTurn.run(taken.turn, () => toNext(taken.received)).finally(taken.end);
        }
      }
      await toNext(request);
    }
  }
}

/** Whether this client gets the home page as text. Under `next start`, proxy.ts decides. */
function wantsText(request: IncomingMessage): boolean {
  const { headers } = request;
  if (!isRead(request) || headers.rsc !== undefined) return false;
  return readsText(headers.accept ?? null, String(headers["sec-fetch-site"] ?? "") || null);
}

/** Sets a request ID, for the response and for Next's logs. */
function assignRequestId(request: IncomingMessage, response: ServerResponse): string {
  const requestId = newId("req");
  request.headers[REQUEST_ID_HEADER] = requestId;
  response.setHeader("Request-Id", requestId);
  return requestId;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  address: string;
  bodies: ByteBudget;
  responses: ResponseMemory;
  documents: CompressedDocuments;
}

async function serveApi(operations: readonly Operation[], asked: Exchange): Promise<void> {
  const { request, response, address } = asked;
  const heldBody = new HeldBody(asked.bodies, address);
  const result = await respond(
    operations,
    new NodeRequest(request, response, { address, heldBody }),
  );
  // A stream may still be using the body.
  if (!(result.body instanceof ReadableStream)) heldBody.release();
  const encoded = await asked.documents.compress(operations, request, result);
  const { status, headers, body } = countResponse(encoded, asked);
  const closes = !response.shouldKeepAlive;
  // If Node closed with unread data pending, the reset would lose the response. So the rest is read
  // first.
  if (!request.complete) response.shouldKeepAlive = true;
  response.writeHead(status, headers);
  if (body instanceof ReadableStream) {
    // Either side may disconnect at any time.
    await pipeline(body, response).catch(() => {});
    heldBody.release();
  } else response.end(body);
  limitRemainingBody(request, response, closes);
}

/** Counts the response until it has been read, or replaces it with an error without memory. */
function countResponse(
  result: HttpResponse,
  { request, response, address, responses }: Exchange,
): HttpResponse {
  const refusable = request.method === "GET";
  try {
    return responses.holdResult(response, result, { address, refusable });
  } catch (error) {
    return errorResponse(error, result.headers["Request-Id"] ?? newId("req"));
  }
}

/** Limits how long Node drains the rest of a body. Then disconnects if the response `closes` the connection. */
function limitRemainingBody(request: IncomingMessage, response: ServerResponse, closes: boolean) {
  if (request.complete) return;
  const timer = setTimeout(() => request.socket.destroy(), LINGER_MS);
  request.once("end", () => {
    clearTimeout(timer);
    if (closes) request.socket.destroySoon();
  });
  response.once("close", () => timer.unref());
}

/** A path that does not exist. */
const MISSING = "/not-found";

/** Next responds with 500 to an undecodable path and to an invalid router state. */
function sanitizeForNext(request: IncomingMessage, path: string) {
  try {
    decodeURIComponent(path);
  } catch {
    request.url = MISSING;
  }
  const state = request.headers[ROUTER_STATE];
  if (state !== undefined && !isRouterState(String(state))) delete request.headers[ROUTER_STATE];
}

/** The addresses of clients without a proxy: to parse one takes longer than to find the operation. */
const direct = new WeakMap<Socket, string>();

function clientAddressOf({ socket, headers }: IncomingMessage): string {
  const peer = socket.remoteAddress ?? "";
  const header = headers["x-forwarded-for"];
  if (header !== undefined) return forwardedAddress(peer, String(header)) ?? peer;
  const address = direct.get(socket) ?? forwardedAddress(peer, null) ?? peer;
  direct.set(socket, address);
  return address;
}

/**
 * Replaces forwarding headers sent by clients with the real address and, in public mode, the
 * service's host, which Next compares with a form's Origin.
 */
function overwriteForwarding(request: IncomingMessage, address: string) {
  for (const name of Object.keys(request.headers)) {
    if (name === "forwarded" || name.startsWith("x-forwarded-")) delete request.headers[name];
  }
  request.headers["x-forwarded-for"] = address;
  const { baseUrl, localMode } = config();
  if (localMode) return;
  const { host, protocol } = new URL(baseUrl);
  request.headers["x-forwarded-host"] = host;
  request.headers["x-forwarded-proto"] = protocol.slice(0, -1);
}

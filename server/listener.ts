import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { addRoute, createRouter, findRoute } from "rou3";
import { config } from "@/lib/config";
import { newId } from "@/lib/db/ids";
import { forwardedAddress } from "@/lib/http/address";
import { REQUEST_ID_HEADER } from "@/lib/http/missing-page";
import type { Operation } from "@/lib/http/operation";
import { operations } from "@/lib/http/registry";
import { splitUrl } from "@/lib/http/request";
import { respond } from "@/lib/http/route";
import { refuseMalformed, TOO_SLOW } from "./client-error";
import { FormTurns } from "./form-turns";
import { NodeRequest } from "./node-request";

/** How long a client may go on sending a body that was refused, so that it gets to read the answer. */
const LINGER_MS = 2000;
/** How long a client may take to send a body, where no operation allows more. */
const UPLOAD_SECONDS_MAX = 30;

type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Answers API paths straight from the registry (when `api` is on) and gives all others to Next. */
export function listener(pages: NodeHandler, { api }: { api: boolean }): NodeHandler {
  const router = apiRouter();
  const forms = new FormTurns();
  return async (request, response) => {
    if (request.headers.host === undefined && request.httpVersion === "1.1") {
      return refuseMalformed({}, request.socket); // RFC 9112 §3.2; Node would refuse it in no words
    }
    const address = clientAddressOf(request);
    const { path, search } = splitUrl(request.url ?? "/");
    // The host of an absolute target is the client's word: Next would lead there.
    request.url = search === "" ? path : `${path}?${search}`;
    const found = findRoute(router, undefined, path)?.data;
    limitUpload(request, response, found ?? []);
    if (api && (found || path === "/api" || path.startsWith("/api/"))) {
      await answer(found ?? [], request, response, address);
      lingerOver(request, response);
    } else {
      overwriteForwarding(request, address);
      if (api) nameRequest(request, response);
      if (await forms.turn(request, response, address)) await pages(request, response);
    }
  };
}

/** Gives the request an ID: for the answer, and for what Next writes about it. */
function nameRequest(request: IncomingMessage, response: ServerResponse) {
  const requestId = newId("req");
  request.headers[REQUEST_ID_HEADER] = requestId;
  response.setHeader("Request-Id", requestId);
}

function apiRouter() {
  const router = createRouter<Operation[]>();
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const onPath = operations.filter((operation) => operation.path === path);
    const pattern = path.replaceAll(/\{(\w+)\}/g, ":$1");
    const below = onPath.some(({ subpaths }) => subpaths) ? "/**" : "";
    addRoute(router, undefined, pattern + below, onPath);
  }
  return router;
}

async function answer(
  operations: readonly Operation[],
  request: IncomingMessage,
  response: ServerResponse,
  address: string,
): Promise<void> {
  const asked = new NodeRequest(request, response, address);
  const { status, headers, body } = await respond(operations, asked);
  // Node closes after the answer where the client asked for it, and what is then still on its way
  // makes the client lose the answer: it is read first.
  if (!request.complete) response.shouldKeepAlive = true;
  response.writeHead(status, headers);
  if (body instanceof ReadableStream) {
    // Either side may go at any time; then there is nobody to tell.
    await pipeline(body, response).catch(() => {});
  } else response.end(body);
}

/** Who sends slowly holds a connection: only as long as what is sent there may be worth. */
function limitUpload(
  request: IncomingMessage,
  response: ServerResponse,
  operations: readonly Operation[],
) {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (length === undefined && encoding === undefined) return;
  const seconds = Math.max(
    UPLOAD_SECONDS_MAX,
    ...operations.map(({ uploadSecondsMax }) => uploadSecondsMax),
  );
  const timer = setTimeout(() => {
    if (request.complete || response.headersSent) return;
    refuseMalformed(TOO_SLOW, request.socket);
    request.socket.destroySoon();
  }, seconds * 1000);
  response.once("close", () => clearTimeout(timer));
}

/** Node reads what is left of a body to keep the connection; a body that was refused has a time limit. */
function lingerOver(request: IncomingMessage, response: ServerResponse) {
  if (request.complete) return;
  const timer = setTimeout(() => request.socket.destroy(), LINGER_MS);
  request.once("end", () => {
    clearTimeout(timer);
    if (/\bclose\b/i.test(request.headers.connection ?? "")) request.socket.destroySoon();
  });
  response.once("close", () => timer.unref());
}

function clientAddressOf(request: IncomingMessage): string {
  const peer = request.socket.remoteAddress ?? "";
  const header = request.headers["x-forwarded-for"];
  return forwardedAddress(peer, header === undefined ? null : String(header)) ?? peer;
}

/**
 * Pages must not believe what a client says of itself: Next is shown the address that holds, and in
 * public mode the service's own host, by which it tells its own forms from those of other sites.
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

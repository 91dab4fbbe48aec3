import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import { addRoute, createRouter, findRoute } from "rou3";
import { operations } from "@/lib/api/registry";
import { refusal, respond } from "@/lib/api/route";
import { config } from "@/lib/config/config";
import { newId } from "@/lib/db/ids";
import { forwardedAddress } from "@/lib/http/address";
import { Answer } from "@/lib/http/answer";
import { REQUEST_ID_HEADER } from "@/lib/http/missing-page";
import type { Operation } from "@/lib/http/operation";
import { splitUrl } from "@/lib/http/request";
import { Answers } from "./answers";
import { BodyMemory } from "./body-memory";
import { refuseMalformed } from "./client-error";
import { Exchanges } from "./exchanges";
import { FormTurns } from "./form-turns";
import { NodeRequest } from "./node-request";

/** How long a client may go on sending a body that was refused, so that it gets to read the answer. */
const LINGER_MS = 2000;

/** Shorter answers are not counted. */
const COUNTED_LENGTH = 20_000;

const ROUTER_STATE = "next-router-state-tree";

type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Answers API paths straight from the registry (when `api` is on) and gives all others to Next. */
export function listener(pages: NodeHandler, { api }: { api: boolean }): NodeHandler {
  const router = apiRouter();
  const forms = new FormTurns();
  const bodies = new BodyMemory();
  const answers = new Answers();
  const exchanges = new Exchanges(answers);
  return async (request, response) => {
    if (request.headers.host === undefined && request.httpVersion === "1.1") {
      return refuseMalformed({}, request.socket); // RFC 9112 §3.2; Node would refuse it in no words
    }
    const address = clientAddressOf(request);
    const { path, search } = splitUrl(request.url ?? "/");
    // The host of an absolute target is the client's word: Next would lead there.
    request.url = search === "" ? path : `${path}?${search}`;
    const found = findRoute(router, undefined, path)?.data;
    const uploadSecondsMax = uploadSeconds(found ?? []);
    if (!exchanges.begin(request, response, { address, uploadSecondsMax })) return;
    if (api && (found || path === "/api" || path.startsWith("/api/"))) {
      await answer(found ?? [], { request, response, address, bodies, answers });
      lingerOver(request, response);
    } else {
      overwriteForwarding(request, address);
      repair(request, path);
      if (api) nameRequest(request, response);
      if (await forms.turn(request, response, address)) await pages(request, response);
    }
  };
}

/** How long a client may take to send a body: only as long as what is sent there may be worth. */
function uploadSeconds(operations: readonly Operation[]): number {
  return operations.reduce(
    (longest, { uploadSecondsMax }) => Math.max(longest, uploadSecondsMax),
    0,
  );
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

interface Asked {
  request: IncomingMessage;
  response: ServerResponse;
  address: string;
  bodies: BodyMemory;
  answers: Answers;
}

async function answer(operations: readonly Operation[], asked: Asked): Promise<void> {
  const { request, response, address } = asked;
  const heldBody = asked.bodies.open(address);
  const answered = await respond(
    operations,
    new NodeRequest(request, response, { address, heldBody }),
  );
  heldBody.release();
  const { status, headers, body } = counted(answered, asked);
  // Node closes after the answer where the client asked for it, and what is then still on its way
  // makes the client lose the answer: it is read first.
  if (!request.complete) response.shouldKeepAlive = true;
  response.writeHead(status, headers);
  if (body instanceof ReadableStream) {
    // Either side may go at any time; then there is nobody to tell.
    await pipeline(body, response).catch(() => {});
  } else response.end(body);
}

/** The same answer, once there is room for it until its reader has taken it; else a refusal. */
function counted(answer: Answer, { request, response, address, answers }: Asked): Answer {
  const { status, headers, body } = answer;
  if (body === null || body instanceof ReadableStream || body.length < COUNTED_LENGTH)
    return answer;
  const content =
    typeof body === "string"
      ? Buffer.from(body)
      : Buffer.from(body.buffer, body.byteOffset, body.length);
  const tag = status === 200 ? headers.ETag : undefined;
  try {
    const refusable = request.method === "GET";
    const kept = answers.hold(response, content, { address, refusable, ...(tag && { tag }) });
    return new Answer(status, headers, kept);
  } catch (error) {
    return refusal(error, headers["Request-Id"] ?? newId("req"));
  }
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

/** Next answers 500 to an address that cannot be decoded and to a state that is not its own. */
function repair(request: IncomingMessage, path: string) {
  try {
    decodeURIComponent(path);
  } catch {
    request.url = "/_not-found";
  }
  try {
    parseAndValidateFlightRouterState(request.headers[ROUTER_STATE]);
  } catch {
    delete request.headers[ROUTER_STATE];
  }
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

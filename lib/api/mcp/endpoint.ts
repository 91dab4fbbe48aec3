import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { ApiError } from "@/lib/platform/errors";
import { clientAddress } from "@/lib/platform/http/address";
import { parseBounded } from "@/lib/platform/http/bounded-json";
import { LONG_BODY_BYTES_MAX } from "@/lib/platform/http/operation";
import { SENT_FOR_HEADER } from "@/lib/platform/http/relayed";
import { type HttpRequest, isObject, readBytes, splitUrl } from "@/lib/platform/http/request";
import { HttpResponse } from "@/lib/platform/http/response";
import { loopTurns } from "@/lib/platform/loop-turns";
import { assertMayCall } from "./access";
import { sessionIdFor, takeResponse, takesForms } from "./ask-person";
import type { Session } from "./call";
import { STREAM_HEADERS, streamOf } from "./events/stream";
import { type Asked, toolsFor } from "./selected-tools";
import { fetchMcp } from "./server";
import { understood } from "./synonyms";
import { takesTasks } from "./tasks";
import { type Tool, type Variant, variantFor, waitArgument } from "./tool";

/** The headers that the protocol reads. */
const PROTOCOL_HEADERS = [
  "accept",
  "content-type",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
];

/** The size of a message without its arguments. */
export const ENVELOPE_BYTES = 10_000;
/** The size of the largest message: one with the largest arguments. */
const MESSAGE_BYTES_MAX = LONG_BODY_BYTES_MAX + ENVELOPE_BYTES;
/** The maximum size of messages that call no tool or that wait. */
export const SMALL_BYTES_MAX = 65_536;

/** The types that the protocol tells clients to accept; the default without an `Accept`. */
const EITHER_TYPE = "application/json, text/event-stream";

/** Each call creates an SDK server, which takes milliseconds of CPU time. */
const callTurn = loopTurns(5);

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** Handles one message of an MCP client. Throws the errors that HTTP expresses: 401, 403, 413. */
export async function handleMessage(
  caller: Caller,
  request: HttpRequest,
  asked: Asked,
): Promise<HttpResponse> {
  // The transport requires this check, against DNS rebinding. Elsewhere a page has no more power
  // than anyone else, since browsers never add a credential.
  if (caller.foreignPage) {
    throw new ApiError("forbidden", "A web page of another host may not call this server.");
  }
  const tools = toolsFor(asked);
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    return problem(415, INVALID_REQUEST, "Content-Type must be application/json.");
  }
  const bytes = await readBytes(request, MESSAGE_BYTES_MAX);
  const parsed = await parseBounded(bytes).catch(() => undefined);
  if (parsed === undefined) return problem(400, PARSE_ERROR, "The body is not JSON in UTF-8.");
  if (parsed.excessive) return problem(400, INVALID_REQUEST, "The body has too many values.");
  const message = parsed.value;
  if (!isObject(message)) {
    return problem(400, INVALID_REQUEST, "The body must be one JSON-RPC message, not a batch.");
  }
  const called = calledBy(message, tools);
  assertSize(bytes.length, called?.variant);
  // A program that signed in asks its user for more, as the protocol says. Others get a result.
  if (called && caller.kind === "key" && caller.tokenExpiresAt !== undefined) {
    assertMayCall(caller, called.tool, called.variant);
  }

  const headers = new Headers();
  for (const name of PROTOCOL_HEADERS) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (/^$|\*\/\*/.test(headers.get("accept") ?? "")) headers.set("accept", EITHER_TYPE);
  const session: Omit<Session, "signal"> = {
    caller,
    tools,
    asked,
    search: splitUrl(request.url).search,
    clientAddress: clientAddress(request),
    sentFor: request.headers.get(SENT_FOR_HEADER),
    takesTasks: takesTasks(message),
    takesForms: takesForms(message, request.headers.get("mcp-session-id") ?? null),
  };
  await callTurn();
  await takeResponse(message, session);
  const response = await fetchMcp(
    new Request(`${config().baseUrl}/mcp`, {
      method: "POST",
      headers,
      signal: called && (called.tool.asks || waitArgument(called.variant)) ? request.signal : null,
    }),
    message,
    session,
  );
  if (message.method === "events/stream") {
    return streamOf(() => session.opened, message.id, response, request.signal);
  }
  const sessionId = sessionIdFor(message);
  return toHttpResponse(response, sessionId === undefined ? {} : { "Mcp-Session-Id": sessionId });
}

/** Throws 413 for a message larger than any valid one of its kind. */
function assertSize(bytes: number, variant: Variant | undefined) {
  const max = bytesMax(variant);
  if (bytes <= max) return;
  throw new ApiError("payload_too_large", `This message may have at most ${max} bytes.`);
}

function bytesMax(variant: Variant | undefined): number {
  // A message stays in memory while its call waits.
  if (!variant || waitArgument(variant)) return SMALL_BYTES_MAX;
  const { rawBody, bodyBytesMax } = variant.operation;
  return rawBody ? MESSAGE_BYTES_MAX : bodyBytesMax + ENVELOPE_BYTES;
}

interface Called {
  tool: Tool;
  variant: Variant;
}

function calledBy(
  { method, params }: Record<string, unknown>,
  tools: ReadonlyMap<string, Tool>,
): Called | undefined {
  if (method !== "tools/call" || !isObject(params)) return undefined;
  const tool = typeof params.name === "string" ? tools.get(params.name) : undefined;
  if (!tool) return undefined;
  const args = isObject(params.arguments) ? params.arguments : {};
  const variant = variantFor(tool, understood(tool, args));
  return variant && { tool, variant };
}

/** Leaves out the SDK's connection headers: connections belong to our own server. */
async function toHttpResponse(
  { status, headers, body }: Response,
  more: Record<string, string>,
): Promise<HttpResponse> {
  const type = headers.get("content-type");
  if (body === null || type === null) return new HttpResponse(status, more, null);
  if (type !== "text/event-stream") {
    const text = await new Response(body).text();
    return new HttpResponse(status, { "Content-Type": type, ...more }, text);
  }
  return new HttpResponse(status, { ...STREAM_HEADERS, ...more }, body);
}

function problem(status: number, code: number, message: string): HttpResponse {
  const body = { jsonrpc: "2.0", id: null, error: { code, message } };
  return new HttpResponse(status, { "Content-Type": "application/json" }, JSON.stringify(body));
}

import {
  type RequestId,
  type Server,
  type ServerCapabilities,
  SUBSCRIPTION_ID_META_KEY,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { toJsonSchema } from "@/lib/platform/http/json-schema";
import { eventSources } from "@/lib/resources/subscriptions/events/sources";
import type { Session } from "../call";
import { protocolError } from "./errors";
import { pollEvents } from "./poll";
import { openStream } from "./stream";
import { subscribeEvents, unsubscribeEvents } from "./subscribe";

/** The extension, also by the name under which some clients look for it. */
export const eventCapabilities = {
  events: {},
  extensions: { "io.modelcontextprotocol/events": {} },
} as ServerCapabilities;

type Handler = (params: Record<string, unknown>, id: RequestId) => unknown;

/** Adds the methods of the extension MCP Events (SEP-3415) to a server. */
export function addEvents(server: Server, session: Omit<Session, "signal">): void {
  const handlers: Record<string, Handler> = {
    "events/list": listEvents,
    "events/poll": (params) => pollEvents(session, params),
    "events/subscribe": (params) => subscribeEvents(session, params),
    "events/unsubscribe": (params) => unsubscribeEvents(session, params),
    "events/stream": async (params, id) => {
      session.opened = await openStream(session, params);
      return { _meta: { [SUBSCRIPTION_ID_META_KEY]: id } };
    },
  };
  const params = z.looseObject({});
  for (const [method, handle] of Object.entries(handlers)) {
    server.setRequestHandler(method, { params }, async (given, { mcpReq }) => {
      try {
        return Object(await handle(given, mcpReq.id));
      } catch (error) {
        throw protocolError(error);
      }
    });
  }
}

/** Each type is delivered in each of these ways. */
const DELIVERY = ["poll", "push", "webhook"];

/** The types of events, for `events/list`. */
function listEvents() {
  return {
    events: eventSources.map(({ name, description, input, payload }) => ({
      name,
      description,
      delivery: DELIVERY,
      inputSchema: toJsonSchema(input, "input"),
      payloadSchema: toJsonSchema(payload, "output"),
    })),
  };
}

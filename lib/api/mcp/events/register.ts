import type { Server, ServerCapabilities } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Session } from "../call";
import { listEvents } from "./describe";
import { protocolError } from "./errors";
import { pollEvents } from "./poll";
import { openStream } from "./stream";
import { subscribeEvents, unsubscribeEvents } from "./subscribe";

/** The extension, also by the name under which some clients look for it. */
export const eventCapabilities = {
  events: {},
  extensions: { "io.modelcontextprotocol/events": {} },
} as ServerCapabilities;

const AnyParams = z.looseObject({});

type Handler = (params: Record<string, unknown>, signal: AbortSignal) => unknown;

/** Adds the methods of the extension MCP Events (SEP-3415) to a server. */
export function addEvents(server: Server, session: Omit<Session, "signal">): void {
  const handlers: Record<string, Handler> = {
    "events/list": () => listEvents(),
    "events/poll": (params) => pollEvents(session, params),
    "events/subscribe": (params) => subscribeEvents(session, params),
    "events/unsubscribe": (params) => unsubscribeEvents(session, params),
    "events/stream": async (params) => {
      session.opened = await openStream(session, params);
      return {};
    },
  };
  for (const [method, handle] of Object.entries(handlers)) {
    server.setRequestHandler(method, { params: AnyParams }, async (params, { mcpReq }) => {
      try {
        return Object(await handle(params, mcpReq.signal));
      } catch (error) {
        throw protocolError(error);
      }
    });
  }
}

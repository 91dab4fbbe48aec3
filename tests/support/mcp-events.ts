import type { Client } from "@modelcontextprotocol/client";
import * as z from "zod";
import { mcpRequest } from "./mcp-messages";

/** An event, as the protocol has it. */
export interface Occurrence {
  eventId: string;
  name: string;
  timestamp: string;
  data: Record<string, unknown>;
  cursor?: string;
}

interface Polled {
  events: Occurrence[];
  cursor: string;
  truncated: boolean;
  hasMore: boolean;
  nextPollMs: number;
}

/** Calls a method of MCP Events; rejects with the protocol's error. */
export function callEvents<Result = Polled>(
  client: Client,
  method: string,
  params: Record<string, unknown> = {},
): Promise<Result> {
  return client.request({ method: `events/${method}`, params }, z.looseObject({})) as Promise<
    Awaited<Result>
  >;
}

/** A poller for one type of event, which has started now. */
export async function pollerOf(client: Client, name: string, args: object = {}) {
  let { cursor } = await callEvents(client, "poll", { name, arguments: args, cursor: null });
  return {
    cursor: () => cursor,
    /** The events since the last call. */
    async next(more: object = {}): Promise<Occurrence[]> {
      const events: Occurrence[] = [];
      for (let hasMore = true; hasMore; ) {
        const page = await callEvents(client, "poll", { name, arguments: args, cursor, ...more });
        events.push(...page.events);
        ({ cursor, hasMore } = page);
      }
      return events;
    },
  };
}

/** A notification of a stream, or its final response. */
interface StreamFrame {
  id?: unknown;
  method?: string;
  result?: object;
  params: Record<string, unknown> & { cursor?: string; eventId?: string };
}

/** Opens `events/stream` and collects its frames. */
export async function openStream(
  baseUrl: string,
  params: object,
  { address, ...options }: { key?: string; revision?: string; address?: string } = {},
) {
  const closing = new AbortController();
  const request = mcpRequest("events/stream", params, options);
  const headers = { ...request.headers, ...(address && { "x-forwarded-for": address }) };
  const { signal } = closing;
  const response = await fetch(new URL("/mcp", baseUrl), { ...request, headers, signal });
  const frames: StreamFrame[] = [];
  const blocks: string[] = [];
  const type = response.headers.get("content-type");
  const refusal = type === "application/json" ? await response.json() : undefined;
  const ended = refusal ? Promise.resolve() : collect(response, frames, blocks).catch(() => {});
  return {
    type,
    refusal,
    frames,
    /** The frames as they were sent. */
    blocks,
    ended,
    events: () => frames.filter(({ method }) => method === "notifications/events/event"),
    close: () => closing.abort(),
  };
}

async function collect({ body }: Response, frames: StreamFrame[], sent: string[]) {
  let rest = "";
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (rest + chunk).split("\n\n");
    rest = blocks.pop() ?? "";
    sent.push(...blocks);
    frames.push(...blocks.map((block) => JSON.parse(block.replace(/^data: /, ""))));
  }
}

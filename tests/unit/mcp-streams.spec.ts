import { expect, test } from "playwright/test";
import { openStream } from "@/lib/api/mcp/events/stream";
import { eventSources } from "@/lib/resources/subscriptions/events/sources";

/** What a stream of MCP Events says about events that were removed. */

test("Events that were removed after a stream has read them are no gap", async () => {
  const source = eventSources.find(({ name }) => name === "webhook.received");
  if (!source) throw new Error("The event no longer exists.");
  const known = { ...source };
  const starts = ["wev_1", "wev_4"];
  const cursors = ["wev_3", "wev_5"];
  Object.assign(source, {
    start: async () => "wev_2",
    // As if all were removed at once.
    resume: async () => "wev_9",
    read: async () => ({
      events: [],
      hasMore: false,
      cursor: cursors.shift(),
      start: starts.shift(),
    }),
  });
  try {
    const { read, release } = await openStream(
      { caller: { kind: "anonymous" }, clientAddress: null },
      { name: "webhook.received", arguments: { endpoint_id: "wh_1" } },
    );
    const wait = { milliseconds: 0, signal: new AbortController().signal };
    expect(await read(wait)).toEqual([["heartbeat", { cursor: "wev_3" }]]);
    expect(await read(wait)).toEqual([
      ["active", { cursor: "wev_4", truncated: true }],
      ["heartbeat", { cursor: "wev_5" }],
    ]);
    release();
  } finally {
    Object.assign(source, known);
  }
});

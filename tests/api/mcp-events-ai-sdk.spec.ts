import {
  createMCPClient,
  type Experimental_MCPEvent as Event,
  experimental_createMCPEventWebhook,
  type Experimental_MCPEventSubscription as Kept,
} from "@ai-sdk/mcp";
import { expect, test } from "../support/fixtures";
import { startTarget } from "../support/target";
import { capture, makeEndpoint } from "../support/webhooks";

/** The AI SDK's own client and handler of MCP Events. */

// The example in GitHub's documentation.
const SECRET = "It's a Secret to Everybody";
const SIGNED = {
  raw: "Hello, World!",
  headers: {
    "x-hub-signature-256":
      "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
  },
};

test("The AI SDK lists the events, subscribes with a filter, verifies what comes, refreshes and unsubscribes", async ({
  api,
  baseUrl,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const verification = { scheme: "github", secret: SECRET };
  await api("PUT", `/api/webhooks/${id}/verification`, { key, body: verification });
  const store = memoryStore();
  const heard: Event[] = [];
  const handler = await startHandler(store, (event) => heard.push(event));
  const client = await createMCPClient({
    transport: {
      type: "http",
      url: `${baseUrl}/mcp`,
      headers: { Authorization: `Bearer ${key}` },
    },
    experimental_events: { store },
  });
  const { experimental_events: events } = client;
  expect((await events.list()).events.map(({ name }) => name)).toContain("webhook.received");

  const subscribed = await events.subscribe({
    name: "webhook.received",
    arguments: { endpoint_id: id, verified: true },
    delivery: { mode: "webhook", url: handler.url, allowInsecureLocalhost: true },
  });
  await capture(api, id, { raw: "unsigned" });
  const first = await capture(api, id, SIGNED);
  await expect.poll(() => heard.map(({ eventId }) => eventId)).toEqual([first]);
  expect(heard[0]?.data).toMatchObject({ endpoint_id: id, body: SIGNED.raw, verified: true });

  const refreshed = await events.refresh({ id: subscribed.id });
  expect(refreshed.id).toBe(subscribed.id);
  const second = await capture(api, id, SIGNED);
  await expect.poll(() => heard.map(({ eventId }) => eventId)).toEqual([first, second]);
  expect((await store.getById(subscribed.id))?.cursor).toBe(heard[1]?.cursor);

  await events.unsubscribe({ id: subscribed.id });
  expect((await api("GET", "/api/subscriptions", { key })).body.data).toEqual([]);
  expect(await store.getById(subscribed.id)).toBeUndefined();
  await client.close();
  await handler.stop();
  expect(handler.failures).toEqual([]);
});

type Store = ReturnType<typeof memoryStore>;

/** A store as the SDK's guide asks for. */
function memoryStore() {
  const kept = new Map<string, Kept>();
  return {
    get: async (key: string) => kept.get(key),
    getById: async (id: string) => [...kept.values()].find((one) => one.id === id),
    set: async (one: Kept) => void kept.set(one.key, one),
    update: async (key: string, patch: Partial<Kept>) => {
      const one = kept.get(key);
      if (one) kept.set(key, { ...one, ...patch });
    },
    delete: async (key: string) => void kept.delete(key),
  };
}

/** The SDK's handler, at a callback on loopback. */
async function startHandler(store: Store, onEvent: (event: Event) => void) {
  const failures: unknown[] = [];
  const handle = experimental_createMCPEventWebhook({
    store,
    onEvent: async ({ event }) => onEvent(event),
    onError: (error) => failures.push(error),
  });
  const target = await startTarget(async (response, { body, headers, path }) => {
    const answer = await handle(
      new Request(new URL(path, target.url), {
        method: "POST",
        headers: headers as Record<string, string>,
        body: new Uint8Array(body),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  return { url: `${target.url}/hook`, failures, stop: () => target.stop() };
}

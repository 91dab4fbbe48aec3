import {
  createMCPClient,
  type Experimental_MCPEvent as Event,
  experimental_createMCPEventWebhook,
  type Experimental_MCPEventSubscription as Kept,
} from "@ai-sdk/mcp";
import { expect, test } from "../support/fixtures";
import { githubHeaders } from "../support/signatures";
import { startTarget } from "../support/target";
import { capture, makeEndpoint } from "../support/webhooks";

/** MCP Events with the client and the handler of the AI SDK. */

test("The AI SDK lists the events, subscribes with a filter, verifies what comes, refreshes and unsubscribes", async ({
  api,
  baseUrl,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const [secret, raw] = ["It's a Secret to Everybody", "Hello, World!"];
  const signed = { raw, headers: githubHeaders(secret, raw) };
  const verification = { scheme: "github", secret };
  await api("PUT", `/api/webhooks/${id}/verification`, { key, body: verification });
  const { client, events, store } = await connectAiSdk(baseUrl, key);
  const heard: { eventId: string; cursor?: string | null; data: object }[] = [];
  const handler = await startHandler(store, (event) => heard.push(event));
  const ids = () => heard.map(({ eventId }) => eventId);
  expect((await events.list()).events.map(({ name }) => name)).toContain("webhook.received");

  const subscribed = await events.subscribe({
    name: "webhook.received",
    arguments: { endpoint_id: id, verified: true },
    delivery: handler.delivery,
  });
  await capture(api, id, { raw: "unsigned" });
  const first = await capture(api, id, signed);
  await expect.poll(ids).toEqual([first]);
  expect(heard[0]?.data).toMatchObject({ endpoint_id: id, body: raw, verified: true });

  const refreshed = await events.refresh({ id: subscribed.id });
  expect(refreshed.id).toBe(subscribed.id);
  const second = await capture(api, id, signed);
  await expect.poll(ids).toEqual([first, second]);
  await expect.poll(async () => (await store.getById(subscribed.id))?.cursor).toBe(second);

  await events.unsubscribe({ id: subscribed.id });
  expect((await api("GET", "/api/subscriptions", { key })).body.data).toEqual([]);
  expect(await store.getById(subscribed.id)).toBeUndefined();
  await client.close();
  await handler.stop();
  expect(handler.failures).toEqual([]);
});

/** A client that is connected to `/mcp`, and its store. */
async function connectAiSdk(baseUrl: string, key: string) {
  const store = memoryStore();
  const headers = { Authorization: `Bearer ${key}` };
  const client = await createMCPClient({
    transport: { type: "http", url: `${baseUrl}/mcp`, headers },
    experimental_events: { store },
  });
  return { client, events: client.experimental_events, store };
}

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
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  const delivery = { mode: "webhook" as const, url: `${target.url}/hook` };
  return {
    delivery: { ...delivery, allowInsecureLocalhost: true },
    failures,
    stop: () => target.stop(),
  };
}

import { expect, test } from "../support/fixtures";
import { connectAiSdk, GITHUB_EXAMPLE, startHandler } from "../support/mcp-ai-sdk";
import { capture, makeEndpoint } from "../support/webhooks";

/** MCP Events with the client and the handler of the AI SDK. */

test("The AI SDK lists the events, subscribes with a filter, verifies what comes, refreshes and unsubscribes", async ({
  api,
  baseUrl,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const { secret, ...signed } = GITHUB_EXAMPLE;
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
  expect(heard[0]?.data).toMatchObject({ endpoint_id: id, body: signed.raw, verified: true });

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

import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { makeInbox } from "../support/inboxes";
import { capture, makeEndpoint } from "../support/webhooks";

/** Where one thing has two names, each is accepted wherever the other is documented. */

const INTERCHANGEABLE: Array<
  [path: string, documented: string, other: string, values: [string, string]]
> = [
  ["/api/tasks", "label", "labels", ["a", "b"]],
  ["/api/tasks", "not_label", "not_labels", ["a", "b"]],
  ["/api/messages", "status", "state", ["scheduled", "failed"]],
];
for (const [path, documented, other, [one, two]] of INTERCHANGEABLE) {
  test(`${path}?${other}= means ${path}?${documented}=`, async ({ api, key }) => {
    for (const labels of [["a"], ["b"]]) {
      await api("POST", "/api/tasks", { key, body: { name: "x", labels } });
    }
    const message = { url: "http://a.example/", delay_seconds: 10_000 };
    await api("POST", "/api/messages", { key, body: message });
    const ids = async (query: Record<string, string>) => {
      const response = await api("GET", path, { key, query });
      expectStatus(response, 200);
      return response.body.data.map(({ id }) => id);
    };
    expect(await ids({ [documented]: one })).toHaveLength(1);
    expect(await ids({ [documented]: two })).not.toEqual(await ids({ [documented]: one }));
    expect(await ids({ [other]: one })).toEqual(await ids({ [documented]: one }));
    expect(await ids({ [other]: two })).toEqual(await ids({ [documented]: two }));
    expect(await ids({ [other]: one, [documented]: one })).toEqual(await ids({ [other]: one }));
    const query = { [documented]: one, [other]: two };
    const both = await api("GET", path, { key, query });
    expectError(both, 400, "invalid_param", other);
    expect(both.body.error.message).toContain(`"${documented}"`);
  });
}

test("An error names the parameter as it was sent", async ({ api }) => {
  const response = await api("GET", "/api/messages", { query: { state: "lost" } });
  expectError(response, 400, "invalid_param", "state");
  const { body: task } = await api("POST", "/api/tasks", { body: { name: "x" } });
  const lease = await api("POST", `/api/tasks/${task.id}/lease`, { body: { consumer: "" } });
  expectError(lease, 400, "invalid_param", "consumer");
});

test("Inbox events can be listed and purged by status or state", async ({ api }) => {
  const inbox = await makeInbox(api);
  await inbox.ingest({ raw: "x" });
  const events = `${inbox.path}/events`;
  const found = async (query: Record<string, string>) =>
    (await api("GET", events, { query })).body.data.length;
  expect(await found({ status: "ready" })).toBe(1);
  expect(await found({ status: "dead" })).toBe(0);
  expectStatus(await api("DELETE", events, { query: { status: "dead" } }), 204);
  expect(await found({ state: "ready" })).toBe(1);
  expectStatus(await api("DELETE", events, { query: { status: "ready" } }), 204);
  expect(await found({})).toBe(0);
});

test("Long polls accept both wait and wait_seconds", async ({ api }) => {
  const { id } = await makeEndpoint(api);
  const query = { since: "wev_0", wait_seconds: 20 };
  const waiting = api("GET", `/api/webhooks/${id}/events`, { query });
  await capture(api, id);
  expect((await waiting).body.data).toHaveLength(1);

  const inbox = await makeInbox(api);
  const receiving = api("POST", `${inbox.path}/events/receive`, { body: { wait: 20 } });
  await inbox.ingest({ raw: "x" });
  expect((await receiving).body.data).toHaveLength(1);
});

test("holder means consumer, and ack means acks", async ({ api, key }) => {
  const { body: task } = await api("POST", "/api/tasks", {
    key,
    body: { name: "x", labels: ["a"] },
  });
  const body = { consumer: "worker", label: ["a"], not_label: ["b"] };
  const next = await api("POST", "/api/tasks/lease-next", { key, body });
  expect(JSON.parse(next.text)).toMatchObject({
    task: { id: task.id },
    lease: { holder: "worker" },
  });
  const both = { consumer: "one", holder: "two" };
  const refused = await api("POST", `/api/tasks/${task.id}/lease`, { key, body: both });
  expectError(refused, 400, "invalid_param", "holder");

  const inbox = await makeInbox(api);
  for (const name of ["ack", "acks"]) {
    await inbox.ingest({ raw: name });
    const event = await inbox.receiveOne({});
    const settled = await api("POST", `${inbox.path}/events/ack`, {
      body: { [name]: [{ event_id: event.id, lease_id: event.lease_id }] },
    });
    expect(JSON.parse(settled.text).acks).toEqual([
      { event_id: event.id, outcome: "acknowledged" },
    ]);
  }
  await inbox.ingest({ raw: "last" });
  const received = await api("POST", `${inbox.path}/events/receive`, {
    body: { holder: "me", acks: [] },
  });
  expect(JSON.parse(received.text)).toMatchObject({ data: [{ consumer: "me" }], acks: [] });
});

test("An alias is refused in bodies where it does not apply", async ({ api }) => {
  const body = { name: "x", label: ["a"] };
  expectError(await api("POST", "/api/tasks", { body }), 400, "unknown_param", "label");
});

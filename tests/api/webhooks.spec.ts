import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { rowsOf } from "../support/rows";
import { allEvents, capture, makeEndpoint, readEndpoint } from "../support/webhooks";

/** Webhook endpoints as resources. */

test("A created endpoint has all documented fields and a capture URL on this server", async ({
  api,
  baseUrl,
  organization,
  key,
}) => {
  const response = await api("POST", "/api/webhooks", {
    key,
    body: { name: "GitHub", description: "Pushes", max_events: 7, external_id: "gh" },
  });
  expectStatus(response, 201);
  const { id } = response.body;
  expect(id).toMatch(/^wh_[0-9A-Za-z]{25}$/);
  expect(response.headers.get("location")).toBe(`/api/webhooks/${id}`);
  expect(response.body).toEqual({
    id,
    object: "webhook_endpoint",
    organization_id: organization.id,
    name: "GitHub",
    description: "Pushes",
    url: `${baseUrl}/api/catch/${id}`,
    max_events: 7,
    external_id: "gh",
    created_at: expect.any(Number),
    updated_at: response.body.created_at,
  });
  expect(await readEndpoint(api, id, key)).toEqual({ ...response.body, event_count: 0 });
});

test("whe_X means wh_X wherever an endpoint ID is accepted", async ({ api, key }) => {
  const endpoint = await makeEndpoint(api);
  const other = endpoint.id.replace("wh_", "whe_");
  const eventId = await capture(api, other, { raw: "x" });
  expect((await readEndpoint(api, other)).id).toBe(endpoint.id);
  expect((await readEndpoint(api, other)).event_count).toBe(1);
  for (const path of ["", "/events", `/events/${eventId}`, `/events/${eventId}/raw`]) {
    expectStatus(await api("GET", `/api/webhooks/${other}${path}`), 200);
  }
  expectStatus(await api("PATCH", `/api/webhooks/${other}`, { body: { name: "y" } }), 200);
  expectStatus(await api("DELETE", `/api/webhooks/${other}/events/${eventId}`), 204);
  const claimed = await api("POST", `/api/claim/${other}`, {
    key,
    body: { claim_token: endpoint.claim_token },
  });
  expectStatus(claimed, 200);
  const newer = await makeEndpoint(api, { key });
  const page = await api("GET", "/api/webhooks", {
    key,
    query: { after: newer.id.replace("wh_", "whe_") },
  });
  expect(page.body.data.map(({ id }) => id)).toEqual([endpoint.id]);
  expectStatus(await api("DELETE", `/api/webhooks/${other}`, { key }), 204);
});

test("Fields out of bounds are refused by name", async ({ api }) => {
  const CASES: [Record<string, unknown>, string, string][] = [
    [{}, "missing_required_param", "name"],
    [{ name: "" }, "invalid_param", "name"],
    [{ name: "x".repeat(201) }, "invalid_param", "name"],
    [{ name: null }, "invalid_param", "name"],
    [{ name: "x", description: "x".repeat(1001) }, "invalid_param", "description"],
    [{ name: "x", max_events: 0 }, "invalid_param", "max_events"],
    [{ name: "x", max_events: 10_001 }, "invalid_param", "max_events"],
    [{ name: "x", max_events: 1.5 }, "invalid_param", "max_events"],
    [{ name: "x", event_count: 1 }, "unknown_param", "event_count"],
  ];
  for (const [body, code, param] of CASES) {
    expectError(await api("POST", "/api/webhooks", { body }), 400, code, param);
  }
  const { id } = await makeEndpoint(api);
  expectError(
    await api("PATCH", `/api/webhooks/${id}`, { body: { name: null } }),
    400,
    "invalid_param",
    "name",
  );
});

test("An update changes only the given fields, and null resets max_events to the default", async ({
  api,
}) => {
  expect(await makeEndpoint(api)).toMatchObject({ max_events: 100, description: null });
  const endpoint = await makeEndpoint(api, { max_events: 5 });
  const path = `/api/webhooks/${endpoint.id}`;
  const same = await api("PATCH", path, { body: {} });
  expect(same.body).toMatchObject({ max_events: 5, updated_at: endpoint.updated_at });
  const changed = await api("PATCH", path, {
    body: { name: "New", description: "d", max_events: null, external_id: "e" },
  });
  expect(changed.body).toMatchObject({
    name: "New",
    description: "d",
    max_events: 100,
    external_id: "e",
  });
  expect(changed.body).not.toHaveProperty("event_count");
});

test("An event is found only under its own endpoint", async ({ api }) => {
  const mine = await makeEndpoint(api);
  const other = await makeEndpoint(api);
  const eventId = await capture(api, other.id, { raw: "x" });
  for (const [method, path] of [
    ["GET", ""],
    ["GET", "/raw"],
    ["DELETE", ""],
  ] as const) {
    const response = await api(method, `/api/webhooks/${mine.id}/events/${eventId}${path}`);
    expectError(response, 404, "resource_not_found");
  }
  expect((await readEndpoint(api, other.id)).event_count).toBe(1);
});

test("A claim transfers an endpoint with its events", async ({ api, organization, key }) => {
  const endpoint = await makeEndpoint(api);
  const eventId = await capture(api, endpoint.id, { raw: "before" });
  const claimed = await api("POST", `/api/claim/${endpoint.id}`, {
    key,
    body: { claim_token: endpoint.claim_token },
  });
  expectStatus(claimed, 200);
  expect(claimed.body).toMatchObject({ id: endpoint.id, organization_id: organization.id });
  await capture(api, endpoint.id, { raw: "after" });
  const path = `/api/webhooks/${endpoint.id}/events`;
  expectError(await api("GET", path), 403, "forbidden");
  expectError(await api("GET", `${path}/${eventId}`), 403, "forbidden");
  const events = await api("GET", path, { key });
  expect(events.body.data.map((event) => event.organization_id)).toEqual([
    organization.id,
    organization.id,
  ]);
});

test("A deleted endpoint and its events are gone, and its capture URL still responds with 200", async ({
  api,
  rows,
}) => {
  const { id } = await makeEndpoint(api);
  await capture(api, id, { raw: "x" });
  expectStatus(await api("DELETE", `/api/webhooks/${id}`), 204);
  expectError(await api("GET", `/api/webhooks/${id}/events`), 404, "resource_not_found");
  await capture(api, id, { raw: "x" });
  expect(await rows.webhookEvent.count({ where: { endpoint_id: id } })).toBe(0);
});

test.describe("Retention", () => {
  test("The newest max_events remain, whatever is deleted in between", async ({ api }) => {
    const { id } = await makeEndpoint(api, { max_events: 5 });
    const ids: string[] = [];
    const add = async (count: number) => {
      for (let i = 0; i < count; i++) ids.push(await capture(api, id));
    };
    const expectNewest = async (expected: string[]) => {
      const newestFirst = [...expected].reverse();
      expect((await allEvents(api, id)).map((event) => event.id)).toEqual(newestFirst);
      expect((await readEndpoint(api, id)).event_count).toBe(expected.length);
    };
    await add(8);
    await expectNewest(ids.slice(3));
    const [removed] = ids.splice(5, 1);
    expectStatus(await api("DELETE", `/api/webhooks/${id}/events/${removed}`), 204);
    await expectNewest(ids.slice(3));
    await add(1);
    await expectNewest(ids.slice(3));
    await add(1);
    await expectNewest(ids.slice(4));
    expectStatus(await api("DELETE", `/api/webhooks/${id}/events`), 204);
    await expectNewest([]);
    await add(6);
    await expectNewest(ids.slice(-5));
  });

  test("Lowering max_events deletes the oldest events at once, and raising it restores none", async ({
    api,
  }) => {
    const { id } = await makeEndpoint(api, { max_events: 10 });
    const ids: string[] = [];
    for (let i = 0; i < 12; i++) ids.unshift(await capture(api, id));
    await api("PATCH", `/api/webhooks/${id}`, { body: { max_events: 3 } });
    expect((await allEvents(api, id)).map((event) => event.id)).toEqual(ids.slice(0, 3));
    const gone = await api("GET", `/api/webhooks/${id}/events/${ids[3]}`);
    expectError(gone, 404, "resource_not_found");
    expectError(
      await api("DELETE", `/api/webhooks/${id}/events/${ids[3]}`),
      404,
      "resource_not_found",
    );
    await api("PATCH", `/api/webhooks/${id}`, { body: { max_events: 10 } });
    expect((await allEvents(api, id)).map((event) => event.id)).toEqual(ids.slice(0, 3));
    expect((await readEndpoint(api, id)).event_count).toBe(3);
  });

  test("No read shows more than a lower max_events from its commit on", async ({ api, db }) => {
    const { id } = await makeEndpoint(api, { max_events: 5 });
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift(await capture(api, id));
    // As by the statement of a PATCH, whose server does nothing more.
    await db.query("UPDATE webhook_endpoints SET max_events = 2 WHERE id = $1", [id]);
    expect((await allEvents(api, id)).map((event) => event.id)).toEqual(ids.slice(0, 2));
    expect((await readEndpoint(api, id)).event_count).toBe(2);
    const gone = await api("GET", `/api/webhooks/${id}/events/${ids[2]}`);
    expectError(gone, 404, "resource_not_found");
  });

  test("Deleted and evicted events leave no rows in the database", async ({ api, db }) => {
    const { id } = await makeEndpoint(api, { max_events: 2 });
    for (let i = 0; i < 10; i++) await capture(api, id);
    const stored = () => rowsOf(db).webhookEvent.count({ where: { endpoint_id: id } });
    await expect.poll(stored).toBe(2);
    await api("DELETE", `/api/webhooks/${id}/events`);
    await expect.poll(stored).toBe(0);
  });
});

import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { Api, Body } from "../support/http";
import { makeSchedule } from "../support/schedules";
import { githubHeaders } from "../support/signatures";
import { startTarget } from "../support/target";
import { capture, makeEndpoint, readEvent } from "../support/webhooks";

/** What others set or changed with the ID alone before a claim ends with it. */

const HOUR = 3600;

test("A claim ends the forward and the secret that a stranger set, and what they still hold back", async ({
  api,
  key,
}) => {
  const target = await startTarget();
  const { id, claim_token } = await makeEndpoint(api);
  await put(api, id, "verification", { scheme: "github", secret: "theirs" });
  await put(api, id, "forward", { url: `${target.url}/stranger` });
  const headers = githubHeaders("theirs", "before");
  const before = await capture(api, id, { raw: "before", headers });
  expect((await readEvent(api, id, before)).verified).toBe(true);
  await expect.poll(async () => (await listed(api, claim_token, key)).data.length).toBe(2);

  const set = await listed(api, claim_token, key);
  expect(set.data).toMatchObject([
    { id, changed_since_created: true, stops: false },
    { kind: "messages", made_by: id, changed_since_created: true, stops: true },
  ]);
  const settings = [
    { resource_id: id, setting: "forward", value: target.url, survives_claim: false },
    { resource_id: id, setting: "verification", value: "github", survives_claim: false },
  ];
  expect(set.settings).toEqual(settings);
  const claimed = await api("POST", "/api/claims", { key, body: { claim_token } });
  expectStatus(claimed, 200);
  expect(claimed.body).toMatchObject({ data: set.data, settings });

  for (const part of ["forward", "verification"]) {
    const gone = await api("GET", `/api/webhooks/${id}/${part}`, { key });
    expectError(gone, 404, "resource_not_found");
  }
  const after = await capture(api, id, {
    raw: "after",
    headers: githubHeaders("theirs", "after"),
  });
  expect(await readEvent(api, id, after, key)).toMatchObject({ verified: null, forward: null });
  // Nobody who is trusted has verified it.
  expect((await readEvent(api, id, before, key)).verified).toBeNull();
  const message = (await api("GET", `/api/messages/${set.data[1]?.id}`, { key })).body;
  expect(message).toMatchObject({ status: "scheduled", held: true });
  expectStatus(await api("POST", "/api/messages/dispatch"), 200);
  expect(target.received).toEqual([]);
  await target.stop();
});

for (const [way, proof] of [
  ["claim_token in the body", (token: string) => ({ body: { claim_token: token } })],
  ["Claim-With", (token: string) => ({ headers: { "claim-with": token } })],
] as const) {
  test(`What the creator sets with ${way} survives a claim, and no earlier secret does`, async ({
    api,
    key,
  }) => {
    const hook = await makeEndpoint(api);
    const token = hook.claim_token ?? "";
    const artifact = await create(api, "artifacts", { name: "Report", content: "x" }, token);
    const prove = (body: object) => {
      const { body: given = {}, headers = {} } = { body: {}, headers: {}, ...proof(token) };
      return { body: { ...body, ...given }, headers };
    };
    await put(api, hook.id, "verification", { scheme: "github", secret: "theirs" });
    await put(api, hook.id, "verification", prove({ scheme: "github", secret: "ours" }));
    await put(api, hook.id, "forward", { url: "https://theirs.example/" });
    const forward = await put(api, hook.id, "forward", prove({ url: "https://ours.example/x?y" }));
    expect(forward.survives_claim).toBe(true);
    const sharing = `/api/artifacts/${artifact.id}/share`;
    const ours = (await api("POST", sharing, prove({}))).body;
    const theirs = (await api("POST", sharing)).body;
    expect([ours.survives_claim, theirs.survives_claim]).toEqual([true, false]);
    expect(ours.share_url).toBe(ours.url);
    const { data } = (await api("GET", `/api/artifacts/${artifact.id}/shares`)).body;
    expect(data.map((one) => [one.id, one.survives_claim])).toEqual([
      [theirs.id, false],
      [ours.id, true],
    ]);
    expect((await listed(api, token, key)).settings).toEqual([
      { resource_id: artifact.id, setting: "share", value: ours.id, survives_claim: true },
      { resource_id: artifact.id, setting: "share", value: theirs.id, survives_claim: false },
      ...["forward", "verification"].map((setting) => ({
        resource_id: hook.id,
        setting,
        value: setting === "forward" ? "https://ours.example" : "github",
        survives_claim: true,
      })),
    ]);
    expectStatus(await api("POST", "/api/claims", { key, body: { claim_token: token } }), 200);

    const kept = await api("GET", `/api/webhooks/${hook.id}/verification`, { key });
    expect(kept.body).toMatchObject({ previous_secret_expires_at: null, survives_claim: true });
    expectStatus(await api("GET", `/api/webhooks/${hook.id}/forward`, { key }), 200);
    for (const [secret, verified] of [
      ["ours", true],
      ["theirs", false],
    ] as const) {
      const event = await capture(api, hook.id, { raw: "x", headers: githubHeaders(secret, "x") });
      expect((await readEvent(api, hook.id, event, key)).verified).toBe(verified);
    }
    expectStatus(await api("GET", `${new URL(ours.url).pathname}/raw`), 200);
    const ended = await api("GET", `${new URL(theirs.url).pathname}/raw`);
    expectError(ended, 404, "resource_not_found");
    expect(ended.body.error.message).toContain("claimed");
  });
}

test("A claim pauses a schedule and holds a message that were changed without the token, and only those", async ({
  api,
  key,
}) => {
  const target = await startTarget();
  const { claim_token: token = "", id: theirs } = await makeSchedule(api, undefined);
  const ours = await create(api, "schedules", daily(), token);
  const send = { url: `${target.url}/created`, delay_seconds: HOUR };
  const [changed, kept, retried] = await Promise.all(
    [0, 1, 2].map(() => create(api, "messages", send, token)),
  );
  if (!changed || !kept || !retried) throw new Error("Three messages were made.");
  const headers = { "claim-with": token };
  const stranger = { url: `${target.url}/stranger` };
  const change = (path: string, options: object) => api("PATCH", `/api/${path}`, options);
  expectStatus(
    await change(`schedules/${theirs}`, { body: { target: { message: stranger } } }),
    200,
  );
  expectStatus(await change(`schedules/${ours.id}`, { body: { name: "Ours" }, headers }), 200);
  expectStatus(await change(`messages/${changed.id}`, { body: stranger }), 200);
  expectStatus(await change(`messages/${kept.id}`, { body: { body: "ours" }, headers }), 200);
  expectStatus(await api("POST", `/api/messages/${retried.id}/cancel`), 200);
  // What a changed schedule made is no better.
  const run = await api("POST", `/api/schedules/${theirs}/run`);
  expectStatus(run, 200);

  const lines = (set: Body) =>
    Object.fromEntries(
      set.data.map((one) => [
        one.id,
        [Reflect.get(one, "changed_since_created"), Reflect.get(one, "stops")],
      ]),
    );
  const set = await listed(api, token, key);
  const made = String(Reflect.get(run.body, "resource_id"));
  expect(lines(set)).toEqual({
    [theirs]: [true, true],
    [ours.id]: [false, false],
    [changed.id]: [true, true],
    [kept.id]: [false, false],
    [retried.id]: [true, false],
    [made]: [true, true],
  });
  const claimed = await api("POST", "/api/claims", { key, body: { claim_token: token } });
  expect(lines(claimed.body)).toEqual(lines(set));

  const read = async (path: string) => (await api("GET", `/api/${path}`, { key })).body;
  expect(await read(`schedules/${theirs}`)).toMatchObject({ paused: true, next_runs: [] });
  expect(await read(`schedules/${ours.id}`)).toMatchObject({ paused: false });
  for (const id of [changed.id, made]) {
    expect(await read(`messages/${id}`)).toMatchObject({ status: "scheduled", held: true });
  }
  expect(await read(`messages/${kept.id}`)).toMatchObject({ status: "scheduled", held: false });
  expectStatus(await api("POST", "/api/messages/dispatch"), 200);
  expect(target.received).toEqual([]);

  // The owner releases them: at a time, or at once.
  const body = { url: `${target.url}/owner`, delay_seconds: HOUR };
  expect((await change(`messages/${changed.id}`, { key, body })).body).toMatchObject({
    held: false,
  });
  expectStatus(await api("POST", `/api/messages/${made}/retry`, { key }), 200);
  await expect
    .poll(async () => {
      await api("POST", "/api/messages/dispatch");
      return target.received.map(({ path }) => path);
    })
    .toEqual(["/stranger"]);
  await target.stop();
});

test("Every kind says that it was changed without its token, and a wrong token changes nothing", async ({
  api,
  key,
}) => {
  const task = await create(api, "tasks", { name: "A" });
  const token = task.claim_token;
  const other = await create(api, "tasks", { name: "B" }, token);
  const changes: [kind: string, made: object, method: string, path: string, body: object][] = [
    ["tasks", { name: "x" }, "PATCH", "", { name: "y" }],
    ["tasks", { name: "x" }, "POST", "/labels", { add: ["y"] }],
    ["tasks", { name: "x" }, "POST", "/complete", {}],
    ["tasks", { name: "x" }, "PUT", `/blockers/${other.id}`, {}],
    ["webhooks", { name: "x" }, "PATCH", "", { max_events: 1 }],
    ["webhooks", { name: "x" }, "PUT", "/forward", { url: "https://example.com/" }],
    ["artifacts", { name: "x", content: "" }, "PATCH", "", { content: "y" }],
    ["messages", { url: "https://example.com/", delay_seconds: HOUR }, "POST", "/cancel", {}],
    ["inboxes", { name: "x" }, "PATCH", "", { max_events: 1 }],
    ["schedules", daily(), "PATCH", "", { name: "y" }],
  ];
  const wanted: Record<string, boolean> = { [task.id]: false, [other.id]: false };
  for (const [kind, made, method, path, body] of changes) {
    const send = ({ id }: Body, claimWith?: string) =>
      api(method, `/api/${kind}/${id}${path}`, {
        ...(Object.keys(body).length > 0 && { body }),
        headers: claimWith === undefined ? {} : { "claim-with": claimWith },
      });
    const [byOthers, byCreator] = await Promise.all(
      [0, 1].map(() => create(api, kind, made, token)),
    );
    if (!byOthers || !byCreator) throw new Error("Two were made.");
    const { body: before } = await api("GET", `/api/${kind}/${byCreator.id}`);
    const wrong = await send(byCreator, "clm_0000000000000000000000000000000A");
    expectError(wrong, 403, "invalid_claim_token", "Claim-With");
    expect((await api("GET", `/api/${kind}/${byCreator.id}`)).body).toEqual(before);
    for (const response of [await send(byOthers), await send(byCreator, token)]) {
      expect([200, 204]).toContain(response.status);
    }
    Object.assign(wanted, { [byOthers.id]: true, [byCreator.id]: false });
  }
  const { data } = await listed(api, token, key);
  const found = data.map((one) => [one.id, Reflect.get(one, "changed_since_created")]);
  expect(Object.fromEntries(found)).toEqual(wanted);
});

test("A single claim takes what the service made for the resource, and nothing else of its token", async ({
  api,
  key,
  organization,
}) => {
  const schedule = await makeSchedule(api, undefined);
  const token = schedule.claim_token ?? "";
  const other = await create(api, "tasks", { name: "Other" }, token);
  const run = await api("POST", `/api/schedules/${schedule.id}/run`);
  const made = String(Reflect.get(run.body, "resource_id"));
  const claim = { key, body: { claim_token: token } };
  const claimed = await api("POST", `/api/claim/${schedule.id}`, claim);
  expectStatus(claimed, 200);
  expect(claimed.body).toMatchObject({ id: schedule.id, organization_id: organization.id });
  expectError(await api("GET", `/api/tasks/${made}`), 403, "forbidden");
  expectStatus(await api("GET", `/api/tasks/${other.id}`), 200);
  // A change appears once the transactions before it have ended, also those of other tests.
  await expect
    .poll(async () => {
      const feed = await api("GET", "/api/changes", { key });
      return feed.body.data.map((one) => Reflect.get(one, "resource_id"));
    })
    .toEqual([schedule.id, made]);
  expect((await api("POST", "/api/claims", claim)).body.data.map(({ id }) => id)).toEqual([
    other.id,
  ]);
});

test("What a schedule and an endpoint made is still claimed by their token after their deletion", async ({
  api,
  key,
}) => {
  const schedule = await makeSchedule(api, undefined);
  const token = schedule.claim_token ?? "";
  const hook = await create(api, "webhooks", { name: "Forwards" }, token);
  const forward = { url: "http://127.0.0.1:9/", claim_token: token };
  await put(api, hook.id, "forward", forward);
  await capture(api, hook.id, { raw: "x" });
  expectStatus(await api("POST", `/api/schedules/${schedule.id}/run`), 200);
  await expect.poll(async () => (await listed(api, token, key)).data.length).toBe(4);
  for (const path of [`schedules/${schedule.id}`, `webhooks/${hook.id}`]) {
    expectStatus(await api("DELETE", `/api/${path}`), 204);
  }
  const claimed = await api("POST", "/api/claims", { key, body: { claim_token: token } });
  expectStatus(claimed, 200);
  expect(claimed.body.data.map((one) => Reflect.get(one, "kind")).sort()).toEqual([
    "messages",
    "tasks",
  ]);
});

test("A Reply-Url from before a claim reads no reply after it, waiting or not, and a repeat gets no other", async ({
  api,
  key,
}) => {
  const inbox = await create(api, "inboxes", { name: "Orders" });
  const path = `/api/inboxes/${inbox.id}/events`;
  const send = async (dedup_id: string) => {
    const sent = await api("POST", path, { raw: "order", query: { dedup_id } });
    const url = sent.headers.get("reply-url");
    return url === null ? null : new URL(url).pathname;
  };
  const early = String(await send("one"));
  expectStatus(await api("GET", early), 204);
  const waiting = api("GET", early, { query: { wait: 20 } });
  const { claim_token } = inbox;
  expectStatus(await api("POST", `/api/claim/${inbox.id}`, { key, body: { claim_token } }), 200);
  // Who could read the event before the claim knows its `dedup_id` and body.
  expect(await send("one")).toBeNull();
  expect(await send("two")).toMatch(/^\/api\/inboxes\//);
  const received = await api("POST", `${path}/receive`, { key });
  const [event] = received.body.data;
  const lease_id = String(Reflect.get(event ?? {}, "lease_id"));
  const reply = `${path}/${event?.id}/reply`;
  const replied = await api("POST", reply, { key, raw: "secret", query: { lease_id } });
  expectStatus(replied, 200);
  expectError(await waiting, 404, "resource_not_found");
  expectError(await api("GET", early), 404, "resource_not_found");
  const shown = new URL(String(Reflect.get(replied.body, "reply_url"))).pathname;
  expect((await api("GET", shown)).text).toBe("secret");
});

test("A claim token that is sent to the other kind's endpoint is told where it belongs", async ({
  api,
  key,
}) => {
  const registered = await api("POST", "/api/agent/auth", { body: { type: "anonymous" } });
  const ofAgent = { claim_token: registered.body.claim_token };
  const refused = await api("POST", "/api/claims", { key, body: ofAgent });
  expectError(refused, 403, "invalid_claim_token", "claim_token");
  expect(refused.body.error.message).toContain("/api/agent/auth/claim");
  const { claim_token } = await create(api, "tasks", { name: "x" });
  const body = { claim_token, email: "person@example.com" };
  const other = await api("POST", "/api/agent/auth/claim", { body });
  expectError(other, 404, "invalid_claim_token", "claim_token");
  expect(other.body.error.message).toContain("/api/claims");
});

function daily() {
  return { every_seconds: 86_400, target: { message: { url: "https://example.com/" } } };
}

async function create(api: Api, kind: string, body: object, token?: string): Promise<Body> {
  const headers: Record<string, string> = token === undefined ? {} : { "claim-with": token };
  const created = await api("POST", `/api/${kind}`, { body, headers });
  expectStatus(created, 201);
  return created.body;
}

async function listed(api: Api, claim_token: string | undefined, key: string): Promise<Body> {
  const response = await api("POST", "/api/claims", { key, body: { claim_token, dry_run: true } });
  expectStatus(response, 200);
  return response.body;
}

/** Sets the forward or the verification of an endpoint, with the body or with options of the call. */
async function put(api: Api, id: string, part: string, given: object): Promise<Body> {
  const options = "body" in given ? given : { body: given };
  const response = await api("PUT", `/api/webhooks/${id}/${part}`, options);
  expectStatus(response, 200);
  return response.body;
}

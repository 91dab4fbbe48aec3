import { create, daily, listed, put } from "../support/claims";
import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { Body } from "../support/http";
import { inboxClient } from "../support/inboxes";
import { cookieOf, makePerson } from "../support/people";
import { APPROVE, ask } from "../support/questions";
import { makeSchedule } from "../support/schedules";
import { githubHeaders } from "../support/signatures";
import { capture, makeEndpoint, readEvent } from "../support/webhooks";

/** What others set or changed with the ID alone before a claim ends with it. */

const HOUR = 3600;

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
      ...["forward", "verification"].map((setting) => ({
        resource_id: hook.id,
        setting,
        value: setting === "forward" ? "https://ours.example" : "github",
        survives_claim: true,
      })),
      { resource_id: artifact.id, setting: "share", value: ours.id, survives_claim: true },
      { resource_id: artifact.id, setting: "share", value: theirs.id, survives_claim: false },
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

test("Share links, however many, hide no other setting of a claim and none that survives it", async ({
  api,
  db,
  key,
}) => {
  const artifact = await create(api, "artifacts", { name: "Report", content: "x" });
  const token = artifact.claim_token;
  const hook = await create(api, "webhooks", { name: "Pushes" }, token);
  await put(api, hook.id, "forward", { url: "https://ours.example/", claim_token: token });
  await put(api, hook.id, "verification", { scheme: "github", secret: "theirs" });
  await db.query(
    `INSERT INTO artifact_shares (id, artifact_id, by_creator)
     SELECT 'shr_' || md5($1::text || n), $1, n = 7 FROM generate_series(1, 1001) AS n`,
    [artifact.id],
  );
  const dryRun = await listed(api, token, key);
  expect(dryRun.has_more).toBe(true);
  expect(dryRun.settings).toHaveLength(1000);
  expect(dryRun.settings.slice(0, 4).map((one) => [one.setting, one.survives_claim])).toEqual([
    ["forward", true],
    ["verification", false],
    ["share", true],
    ["share", false],
  ]);
  const claimed = await api("POST", "/api/claims", { key, body: { claim_token: token } });
  expect(claimed.body).toMatchObject({ has_more: true, settings: dryRun.settings });
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
    [
      "messages",
      { url: "https://example.com/", delay_seconds: HOUR },
      "PATCH",
      "",
      { delay_seconds: 9 * HOUR },
    ],
    ["inboxes", { name: "x" }, "PATCH", "", { max_events: 1 }],
    ["schedules", daily(), "PATCH", "", { name: "y" }],
    ["questions", APPROVE, "PATCH", "", { prompt: "y" }],
    ["questions", APPROVE, "POST", "/withdraw", {}],
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

test("A claim holds a changed message also while it waits for another attempt", async ({
  api,
  key,
  db,
}) => {
  const made = { url: "https://example.com/", delay_seconds: HOUR };
  const { id, claim_token } = await create(api, "messages", made);
  expectStatus(await api("PATCH", `/api/messages/${id}`, { body: { body: "x" } }), 200);
  await db.query("UPDATE scheduled_messages SET status = 'failed', attempts = 1 WHERE id = $1", [
    id,
  ]);
  expectStatus(await api("POST", "/api/claims", { key, body: { claim_token } }), 200);
  const { body } = await api("GET", `/api/messages/${id}`, { key });
  expect(body).toMatchObject({ status: "scheduled", held: true, attempts: 1 });
  // Sent by hand, it has a full set of attempts again.
  const { body: sent } = await api("PATCH", `/api/messages/${id}`, {
    key,
    body: { delay_seconds: HOUR },
  });
  expect(sent).toMatchObject({ status: "scheduled", held: false });
  const { rows } = await db.query(
    "SELECT attempts - attempts_before AS used FROM scheduled_messages WHERE id = $1",
    [id],
  );
  expect(rows).toEqual([{ used: 0 }]);
});

test("A list calls a document shared only while one of its links works", async ({
  api,
  db,
  key,
  organization,
}) => {
  const { id, claim_token } = await create(api, "artifacts", { name: "Report", content: "x" });
  const share = (by?: string) => api("POST", `/api/artifacts/${id}/share`, { key: by });
  expectStatus(await share(), 200);
  expectStatus(await api("POST", "/api/claims", { key, body: { claim_token } }), 200);
  const cookie = await cookieOf(db, (await makePerson(db, organization.id)).id);
  const list = async () => (await api("GET", "/artifacts", { headers: { cookie } })).text;
  expect(await list()).not.toContain(">shared<");
  expectStatus(await share(key), 200);
  expect(await list()).toContain(">shared<");
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

test("A single claim of a question takes the message of its reply", async ({ api, key }) => {
  const question = await ask(api, undefined, {
    ...APPROVE,
    reply_to: { url: "http://127.0.0.1:9/" },
  });
  const { id, claim_token } = question;
  expectStatus(await question.answer("approve"), 200);
  const { data } = await listed(api, claim_token, key);
  expect(data).toMatchObject([{ id }, { kind: "messages", made_by: id, stops: false }]);
  expectStatus(await api("POST", `/api/claim/${id}`, { key, body: { claim_token } }), 200);
  const { body: mine } = await api("GET", "/api/messages", { key });
  expect(mine.data.map((one) => one.id)).toEqual([data[1]?.id]);
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

test("A claim ends the leases on an inbox's events and the delays of nacks, and keeps a sender's delay", async ({
  api,
  key,
}) => {
  const { id, claim_token } = await create(api, "inboxes", { name: "Orders" });
  const stranger = inboxClient(api, id);
  const owner = inboxClient(api, id, key);
  const long = 43_200;
  for (const raw of ["acknowledged", "leased", "returned"]) await stranger.ingest({ raw });
  const delayed = await stranger.ingest({ raw: "later", query: { delay_seconds: long } });
  const held = await owner.receiveOne({ lease_seconds: long });
  const [leased, returned] = await stranger.receive({ limit: 2, lease_seconds: long });
  if (!leased || !returned) throw new Error("Two events were ready.");
  expectStatus(await stranger.nack(returned, { delay_seconds: long }), 200);
  expect(await owner.receive({ limit: 10 })).toEqual([]);
  expectStatus(await api("POST", `/api/claim/${id}`, { key, body: { claim_token } }), 200);
  // Until another worker has the event, its lease still acknowledges it.
  expectStatus(await owner.ack(held), 204);
  expectError(await stranger.ack(leased), 403, "forbidden");
  const received = (await owner.receive({ limit: 10 })).map((event) => event.id);
  expect(received.sort()).toEqual([leased.id, returned.id].sort());
  expect((await owner.event(delayed.id)).state).toBe("delayed");
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

import { kinds } from "@/lib/resources/kinds";
import { makeOrganization } from "../support/accounts";
import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { Api, Body } from "../support/http";
import { whileLocked } from "../support/locks";

/** One token claims everything that was created with it. */

const UNKNOWN = "clm_0000000000000000000000000000000A";

test("What every kind of create adds with Claim-With is listed and claimed by one token", async ({
  api,
  organization,
  key,
}) => {
  const set: object[] = [];
  const idOf: Record<string, string> = {};
  let token: string | undefined;
  for (const { name, first } of kinds) {
    const created = await api("POST", `/api/${name}`, {
      body: first.body,
      headers: joining(token),
    });
    expectStatus(created, 201);
    token ??= created.body.claim_token;
    const { id, created_at } = created.body;
    idOf[name] = id;
    const title =
      name === "messages"
        ? `POST ${first.body.url}`
        : String(Object(first.body).name ?? Object(first.body).prompt);
    const untouched = { made_by: null, changed_since_created: false, stops: false };
    set.push({ id, kind: name, name: title, created_at, ...untouched });
  }
  const other = await create(api);
  const target = { resource_id: idOf.schedules, setting: "target", value: "task" };
  const rest = { has_more: false, settings: [{ ...target, survives_claim: true }] };

  const listed = await claims(api, token, { dry_run: true }, key);
  expectStatus(listed, 200);
  expect(listed.body).toEqual({
    object: "claim_set",
    dry_run: true,
    organization_id: null,
    data: set,
    ...rest,
  });
  for (const [kind, id] of Object.entries(idOf)) {
    expect((await api("GET", `/api/${kind}/${id}`)).body.organization_id).toBeNull();
  }

  const claimed = await claims(api, token, {}, key);
  expectStatus(claimed, 200);
  expect(claimed.body).toEqual({
    object: "claim_set",
    dry_run: false,
    organization_id: organization.id,
    data: set,
    ...rest,
  });
  for (const [kind, id] of Object.entries(idOf)) {
    const read = await api("GET", `/api/${kind}/${id}`, { key });
    expect(read.body.organization_id).toBe(organization.id);
    expectError(await api("GET", `/api/${kind}/${id}`), 403, "forbidden");
  }
  expectStatus(await api("GET", `/api/tasks/${other.id}`), 200);
});

test("A token that claims nothing is 403 for a claim, a list and a create", async ({
  api,
  key,
  organization,
}) => {
  const deleted = await create(api);
  expectStatus(await api("DELETE", `/api/tasks/${deleted.id}`), 204);
  const { claim_token: registration } = (
    await api("POST", "/api/agent/auth", { body: { type: "anonymous" } })
  ).body;
  for (const token of [UNKNOWN, deleted.claim_token, registration, "x"]) {
    for (const response of [
      await claims(api, token, {}, key),
      await claims(api, token, { dry_run: true }, organization.readKey),
    ]) {
      expectError(response, 403, "invalid_claim_token", "claim_token");
    }
    const response = await api("POST", "/api/tasks", {
      body: { name: "x" },
      headers: joining(token),
    });
    expectError(response, 403, "invalid_claim_token", "Claim-With");
  }
});

test("No resource can join a set that has an owner, in whole or in part", async ({
  api,
  key,
  otherOrganization,
}) => {
  for (const claim of [
    ({ claim_token }: Body) => claims(api, claim_token, {}, key),
    ({ id, claim_token }: Body) => api("POST", `/api/claim/${id}`, { key, body: { claim_token } }),
  ]) {
    const first = await create(api);
    const second = await create(api, first.claim_token);
    expectStatus(await claim({ ...second, claim_token: first.claim_token }), 200);
    const late = await api("POST", "/api/tasks", {
      body: { name: "Late" },
      headers: joining(first.claim_token),
    });
    expectError(late, 400, "resource_already_claimed", "Claim-With");
  }
  const task = await create(api);
  expectStatus(await claims(api, task.claim_token, {}, key), 200);
  for (const [claimer, words] of [
    [key, "Your organization already"],
    [otherOrganization.key, "belongs to an organization"],
  ] as const) {
    for (const dry_run of [true, false]) {
      const again = await claims(api, task.claim_token, { dry_run }, claimer);
      expectError(again, 400, "resource_already_claimed", "claim_token");
      expect(again.body.error.message).toContain(words);
    }
  }
});

test("A claim moves the resources of a set that nobody has claimed yet", async ({
  api,
  key,
  organization,
  otherOrganization,
}) => {
  const first = await create(api);
  const second = await create(api, first.claim_token);
  expectStatus(
    await api("POST", `/api/claim/${first.id}`, {
      key: otherOrganization.key,
      body: { claim_token: first.claim_token },
    }),
    200,
  );
  const claimed = await claims(api, first.claim_token, {}, key);
  expect(claimed.body.data.map(({ id }) => id)).toEqual([second.id]);
  const read = await api("GET", `/api/tasks/${first.id}`, { key: otherOrganization.key });
  expect(read.body.organization_id).toBe(otherOrganization.id);
  expect((await api("GET", `/api/tasks/${second.id}`, { key })).body.organization_id).toBe(
    organization.id,
  );
});

test("A claim and a list need a key, and valid fields", async ({ api, key, organization }) => {
  const { claim_token } = await create(api);
  expectError(await claims(api, claim_token), 401, "unauthorized");
  expectError(await claims(api, claim_token, { dry_run: true }), 401, "unauthorized");
  expectStatus(await claims(api, claim_token, { dry_run: true }, organization.readKey), 200);
  const refused = await api("POST", "/api/claims", { key, body: {} });
  expectError(refused, 400, "missing_required_param", "claim_token");
  const wrong = await api("POST", "/api/claims", { key, body: { claim_token, dry_run: "no" } });
  expectError(wrong, 400, "invalid_param", "dry_run");
});

test("Claim-With is refused with a key and ignored by other calls", async ({ api, key }) => {
  const { id, claim_token } = await create(api);
  const headers = joining(claim_token);
  const owned = await api("POST", "/api/tasks", { key, body: { name: "x" }, headers });
  expectError(owned, 400, "invalid_param", "Claim-With");
  expectStatus(await api("GET", `/api/tasks/${id}`, { headers: joining(UNKNOWN) }), 200);
  const note = await api("POST", `/api/tasks/${id}/notes`, {
    body: { body: "x" },
    headers: joining(UNKNOWN),
  });
  expect(note.status).toBeLessThan(300);
});

test("At most 100 resources are created with one token, in parallel too", async ({ api, key }) => {
  const { claim_token } = await create(api);
  const responses = await Promise.all(
    Array.from({ length: 110 }, () =>
      api("POST", "/api/tasks", { body: { name: "x" }, headers: joining(claim_token) }),
    ),
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(99);
  for (const response of responses) {
    if (response.status !== 201) expectError(response, 400, "invalid_param", "Claim-With");
  }
  expect((await claims(api, claim_token, {}, key)).body.data).toHaveLength(100);
});

test("Creates that race with a claim are claimed or refused, never left behind", async ({
  api,
  key,
}) => {
  for (let round = 0; round < 5; round += 1) {
    const { claim_token } = await create(api);
    const join = () =>
      api("POST", "/api/tasks", { body: { name: "x" }, headers: joining(claim_token) });
    const early = Array.from({ length: 10 }, join);
    const claim = claims(api, claim_token, {}, key);
    const joined = await Promise.all([...early, ...Array.from({ length: 10 }, join)]);
    const claimed = (await claim).body.data.map(({ id }) => id);
    for (const response of joined) {
      if (response.status === 201) expect(claimed).toContain(response.body.id);
      else expectError(response, 400, "resource_already_claimed", "Claim-With");
    }
  }
});

test("Of parallel claims of one set exactly one wins everything", async ({
  api,
  key,
  organization,
  otherOrganization,
}) => {
  for (let round = 0; round < 5; round += 1) {
    const { claim_token } = await create(api);
    for (let more = 0; more < 4; more += 1) await create(api, claim_token);
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        claims(api, claim_token, {}, n % 2 === 0 ? key : otherOrganization.key),
      ),
    );
    const [winner, ...others] = responses.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    expect([organization.id, otherOrganization.id]).toContain(winner?.body.organization_id);
    expect(winner?.body.data).toHaveLength(5);
  }
});

test("A claim under way, of one resource or of all, comes before later claims and creates with its token", async ({
  api,
  db,
  key,
  otherOrganization,
}) => {
  for (const isWhole of [true, false]) {
    const { id, claim_token } = await create(api);
    const body = { name: "An inbox" };
    const inbox = await api("POST", "/api/inboxes", { body, headers: joining(claim_token) });
    const claimOne = (one: string, claimer: string) =>
      api("POST", `/api/claim/${one}`, { key: claimer, body: { claim_token } });
    const [first, later, joined] = await whileLocked(
      db,
      { table: "tasks", id },
      () => (isWhole ? claims(api, claim_token, {}, key) : claimOne(id, key)),
      () => claimOne(inbox.body.id, otherOrganization.key),
      () => api("POST", "/api/tasks", { body, headers: joining(claim_token) }),
    );
    expectStatus(first, 200);
    if (isWhole) expectError(later, 400, "resource_already_claimed", "id");
    else expectStatus(later, 200);
    expectError(joined, 400, "resource_already_claimed", "Claim-With");
  }
});

test("A claim and an answer at one moment do not deadlock: the inbox hears the answer, and both succeed", async ({
  api,
  db,
  key,
}) => {
  const inbox = await api("POST", "/api/inboxes", { body: { name: "Answers" } });
  const { id: inbox_id, claim_token } = inbox.body;
  const headers = joining(claim_token);
  const body = { prompt: "Deploy?", kind: "approve", reply_to: { inbox_id } };
  const question = await api("POST", "/api/questions", { body, headers });
  expectStatus(question, 201);
  const { id, answer_url } = question.body;
  const later = { url: "https://example.com/", delay_seconds: 3600 };
  const message = await api("POST", "/api/messages", { body: later, headers });
  const answer = { answer: "approve", answer_token: new URL(answer_url).hash.slice(1) };
  // A claim takes messages after inboxes.
  const [claimed, answered] = await whileLocked(
    db,
    { table: "scheduled_messages", id: message.body.id },
    () => claims(api, claim_token, {}, key),
    () => api("POST", `/api/questions/${id}/answer`, { body: answer }),
  );
  expectStatus(claimed, 200);
  expectStatus(answered, 200);
  const heard = await api("GET", `/api/inboxes/${inbox_id}/events`, { key });
  expect(heard.body.data).toHaveLength(1);
});

test("Without a key a claim is refused, with where to get one", async ({ api }) => {
  const { claim_token } = await create(api);
  const refused = await claims(api, claim_token, { dry_run: true });
  expectError(refused, 401, "unauthorized");
  expect(refused.body.error.message).toContain("/auth.md");
});

test("A create with Claim-With does not repeat the token", async ({ api, baseUrl }) => {
  const first = await create(api);
  const headers = { "claim-with": first.claim_token };
  const joined = await api("POST", "/api/tasks", { body: { name: "Joined" }, headers });
  expectStatus(joined, 201);
  expect(joined.text).not.toContain("claim_");
  expect(joined.body.view_url).toBe(`${baseUrl}/tasks/${joined.body.id}`);
});

test("A repeat with the same Idempotency-Key joins once, also after the claim", async ({
  api,
  key,
}) => {
  const first = await create(api);
  const other = await create(api);
  const headers = { "idempotency-key": crypto.randomUUID() };
  const send = (token: string) =>
    api("POST", "/api/tasks", {
      body: { name: "Once" },
      headers: { ...headers, "claim-with": token },
    });
  const joined = await send(first.claim_token);
  expectStatus(joined, 201);
  expect((await send(first.claim_token)).body).toEqual(joined.body);
  expectError(await send(other.claim_token), 422, "idempotency_key_reused");
  expect((await claims(api, first.claim_token, {}, key)).body.data).toHaveLength(2);
  const replayed = await send(first.claim_token);
  expectStatus(replayed, 201);
  expect(replayed.body).toEqual(joined.body);
});

test("Messages that a forward made follow the claim of their endpoint and take no room", async ({
  api,
  key,
  organization,
  rows,
}) => {
  const hook = (await api("POST", "/api/webhooks", { body: { name: "Forwards" } })).body;
  const url = "http://127.0.0.1:9/";
  expectStatus(await api("PUT", `/api/webhooks/${hook.id}/forward`, { body: { url } }), 200);
  await api("POST", `/api/catch/${hook.id}`, { body: { n: 1 } });
  const owner = async () => {
    const where = { webhook_endpoint_id: hook.id };
    return (await rows.scheduledMessage.findMany({ where })).map((row) => row.organization_id);
  };
  await expect.poll(owner).toEqual([null]);
  const listed = await claims(api, hook.claim_token, { dry_run: true }, key);
  expect(listed.body.data).toMatchObject([{ id: hook.id }, { kind: "messages", made_by: hook.id }]);
  const claimed = await claims(api, hook.claim_token, {}, key);
  expect(claimed.body.data).toEqual(listed.body.data);
  expect(await owner()).toEqual([organization.id]);
  // Other tests' transactions may hold the feed back.
  await expect
    .poll(async () => (await api("GET", "/api/changes", { key })).body.data)
    .toMatchObject([
      { action: "claimed", resource_id: hook.id },
      { action: "claimed", kind: "messages" },
    ]);
});

test("A claim wakes a worker that waits for a task, and is in the audit log", async ({
  api,
  db,
  key,
  organization,
  rows,
}) => {
  const { id, claim_token } = await create(api);
  const waiting = api("POST", "/api/tasks/lease-next", {
    key,
    body: { holder: "A worker", wait_seconds: 20 },
  });
  const awaited = "SELECT tasks_awaited_until > unix_now() AS it FROM organizations WHERE id = $1";
  await expect
    .poll(async () => (await db.query<{ it: boolean }>(awaited, [organization.id])).rows[0]?.it)
    .toBe(true);
  expectStatus(await claims(api, claim_token, {}, key), 200);
  expect((await waiting).body).toMatchObject({ task: { id } });
  const where = { organization_id: organization.id, action: "resources.claimed" };
  const audited = await rows.auditEvent.findMany({ where });
  expect(audited.map(({ data }) => data)).toEqual([{ count: 1, first: id }]);
});

test("Wrong tokens are limited per caller, wherever they are sent, in parallel and in local mode too", async ({
  api,
  db,
  key,
}) => {
  const body = { name: "Shared", content: "" };
  const { id, claim_token } = (await api("POST", "/api/artifacts", { body })).body;
  for (const path of [`/api/claim/${id}`, "/api/claims", `/api/artifacts/${id}/share`]) {
    const caller = await makeOrganization(db);
    const guess = () => api("POST", path, { key: caller.key, body: { claim_token: UNKNOWN } });
    const responses = await Promise.all(Array.from({ length: 120 }, guess));
    const refused = responses.filter(({ status }) => status === 403);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThanOrEqual(30);
    for (const response of refused) {
      expectError(response, 403, "invalid_claim_token", "claim_token");
    }
    const limited = responses.filter(({ status }) => status !== 403);
    for (const response of [...limited, await guess()]) {
      expectError(response, 429, "rate_limited");
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    }
  }
  expect((await api("GET", `/api/artifacts/${id}/shares`)).body.data).toEqual([]);
  expectStatus(await claims(api, claim_token, {}, key), 200);
});

function joining(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { "claim-with": token };
}

async function create(api: Api, token?: string): Promise<Body> {
  const created = await api("POST", "/api/tasks", {
    body: { name: "A task" },
    headers: joining(token),
  });
  expectStatus(created, 201);
  return created.body;
}

function claims(api: Api, claim_token: string | undefined, body: object = {}, key?: string) {
  return api("POST", "/api/claims", { key, body: { claim_token, ...body } });
}

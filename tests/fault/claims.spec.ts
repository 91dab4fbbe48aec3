import { makeOrganization } from "../support/accounts";
import { changesOf } from "../support/changes";
import { create, daily, listed, put } from "../support/claims";
import { expectError, expectStatus } from "../support/expectations";
import { expect, QUIET, test } from "../support/fault-fixtures";
import type { Body } from "../support/http";
import { lockWaits, whileLocked } from "../support/locks";
import { dispatch } from "../support/messages";
import { withOneServer } from "../support/one-server";
import { APPROVE, ask } from "../support/questions";
import { makeSchedule } from "../support/schedules";
import { githubHeaders } from "../support/signatures";
import { allEvents, capture, makeEndpoint, readEvent } from "../support/webhooks";

/** What a claim stops before it is sent. The servers deliver only when a test asks them to. */

const HOUR = 3600;

const it = withOneServer(QUIET);

it("A claim ends the forward and the secret that a stranger set, and what they still hold back", async ({
  key,
  server: { api },
  target,
}) => {
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
  const signed = { raw: "after", headers: githubHeaders("theirs", "after") };
  const after = await capture(api, id, signed);
  expect(await readEvent(api, id, after, key)).toMatchObject({ verified: null, forward: null });
  // Nobody who is trusted has verified it.
  expect((await readEvent(api, id, before, key)).verified).toBeNull();
  const message = (await api("GET", `/api/messages/${set.data[1]?.id}`, { key })).body;
  expect(message).toMatchObject({ status: "scheduled", held: true });
  expectStatus(await api("POST", "/api/messages/dispatch"), 200);
  expect(target.received).toEqual([]);
});

it("A claim pauses a schedule and holds a message that were changed without the token, and only those", async ({
  key,
  server: { api },
  target,
}) => {
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
  const redirected = { body: { target: { message: stranger } } };
  expectStatus(await change(`schedules/${theirs}`, redirected), 200);
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
  expect((await change(`messages/${changed.id}`, { key, body })).body.held).toBe(false);
  expectStatus(await api("POST", `/api/messages/${made}/retry`, { key }), 200);
  await expect
    .poll(async () => {
      await api("POST", "/api/messages/dispatch");
      return target.received.map(({ path }) => path);
    })
    .toEqual(["/stranger"]);
});

it("A claim that ends in a deadlock with the completion of a task is tried again", async ({
  db,
  key,
  server: { api },
}) => {
  const { id: waiting, claim_token } = await create(api, "tasks", { name: "Waiting" });
  const { id: blocker } = await create(api, "tasks", { name: "Blocker" }, claim_token);
  expectStatus(await api("PUT", `/api/tasks/${waiting}/blockers/${blocker}`), 204);
  const completion = await db.connect();
  try {
    // Only the claim looks for a deadlock.
    await completion.query("BEGIN; SET LOCAL deadlock_timeout = '1min'");
    const lock = (id: string) =>
      completion.query("SELECT FROM tasks WHERE id = $1 FOR UPDATE", [id]);
    await lock(blocker);
    const headers = { "idempotency-key": crypto.randomUUID() };
    const claimed = api("POST", "/api/claims", { key, headers, body: { claim_token } });
    await expect.poll(() => lockWaits(db, "claim_token_digest")).toBe(1);
    await lock(waiting);
    await completion.query("COMMIT");
    expectStatus(await claimed, 200);
  } finally {
    completion.release(true);
  }
});

it("A claimed message is still sent if only its time was changed without the token, and held if its body was too", async ({
  key,
  server: { api },
  target,
}) => {
  const send = { url: `${target.url}/moved`, delay_seconds: HOUR };
  const moved = await create(api, "messages", send);
  const changed = await create(api, "messages", send, moved.claim_token);
  const now = { delay_seconds: 0 };
  const change = (id: string, options: object) => api("PATCH", `/api/messages/${id}`, options);
  const headers = { "claim-with": "clm_0000000000000000000000000000000A" };
  const wrong = await change(moved.id, { body: now, headers });
  expectError(wrong, 403, "invalid_claim_token", "Claim-With");
  expectStatus(await change(moved.id, { body: now }), 200);
  expectStatus(await change(changed.id, { body: { ...now, body: "theirs" } }), 200);
  const { claim_token } = moved;
  const { data } = await listed(api, claim_token, key);
  expect(data).toMatchObject([
    { id: moved.id, changed_since_created: true, stops: false },
    { id: changed.id, changed_since_created: true, stops: true },
  ]);
  expectStatus(await api("POST", "/api/claims", { key, body: { claim_token } }), 200);
  const stateOf = async (id: string) => {
    await dispatch(api);
    const { status, held } = (await api("GET", `/api/messages/${id}`, { key })).body;
    return { status, held };
  };
  await expect.poll(() => stateOf(moved.id)).toEqual({ status: "delivered", held: false });
  expect(await stateOf(changed.id)).toEqual({ status: "scheduled", held: true });
  expect(target.received).toHaveLength(1);
});

it("A message that a claim ends during its attempt has the attempt, its time, and its failure as a change", async ({
  key,
  server: { api },
  startHoldingTarget,
}) => {
  const target = await startHoldingTarget();
  const made = { url: target.url, delay_seconds: HOUR };
  const { id, claim_token } = await create(api, "messages", made);
  const path = `/api/messages/${id}`;
  const body = { body: "theirs", delay_seconds: 0 };
  expectStatus(await api("PATCH", path, { body }), 200);
  const dispatching = dispatch(api);
  await expect.poll(() => target.held.length).toBe(1);
  expectStatus(await api("POST", "/api/claims", { key, body: { claim_token } }), 200);
  target.open();
  await dispatching;
  const error = expect.stringMatching(/^interrupted: The message was claimed/);
  const time = expect.any(Number);
  const ended = { status: "failed", last_error: error, delivered_at: time, response_status: null };
  expect((await api("GET", path, { key })).body).toMatchObject(ended);
  const { data } = (await api("GET", `${path}/attempts`, { key })).body;
  expect(data).toMatchObject([{ attempt: 1, started_at: time, error }]);
  await expect
    .poll(async () => (await changesOf(api, key)).map(({ action }) => action))
    .toEqual(["claimed", "failed"]);
});

it("A claim holds the reply of a question that was changed without the token, sent before it or after", async ({
  key,
  server: { api },
  target,
}) => {
  const claimed = async (path: string, by: "stranger" | "creator", first: "answer" | "claim") => {
    const question = await ask(api, undefined, {
      ...APPROVE,
      reply_to: { url: `${target.url}${path}` },
    });
    const { id, claim_token } = question;
    const headers: Record<string, string> = by === "creator" ? { "claim-with": claim_token } : {};
    const body = { prompt: "OK to go on?" };
    expectStatus(await api("PATCH", question.path, { body, headers }), 200);
    if (first === "answer") expectStatus(await question.answer("approve"), 200);
    const changed_since_created = by === "stranger";
    const isOpen = first === "claim";
    const { data } = await listed(api, claim_token, key);
    expect(data).toMatchObject([
      { id, changed_since_created, stops: changed_since_created && isOpen },
      ...(isOpen
        ? []
        : [{ kind: "messages", made_by: id, changed_since_created, stops: changed_since_created }]),
    ]);
    const claim = await api("POST", "/api/claims", { key, body: { claim_token } });
    expectStatus(claim, 200);
    expect(claim.body.data).toEqual(data);
    if (isOpen) expectStatus(await question.answer("approve"), 200);
  };
  await claimed("/waiting", "stranger", "answer");
  await claimed("/open", "stranger", "claim");
  await claimed("/ours-waiting", "creator", "answer");
  await claimed("/ours-open", "creator", "claim");
  const sentTo = async () => {
    await dispatch(api);
    return target.received.map(({ path }) => path).sort();
  };
  const ours = ["/ours-open", "/ours-waiting"];
  await expect.poll(sentTo).toEqual(ours);
  const { body: messages } = await api("GET", "/api/messages", { key });
  const held = messages.data.filter((one) => one.held);
  expect(held.map(({ url, status }) => [new URL(url).pathname, status])).toEqual([
    ["/open", "scheduled"],
    ["/waiting", "scheduled"],
  ]);
  for (const { id } of held) {
    expectStatus(await api("POST", `/api/messages/${id}/retry`, { key }), 200);
  }
  await expect.poll(sentTo).toEqual(["/open", ...ours, "/waiting"]);
});

test("Of two claims of endpoints that are capturing in one batch, one gets them with all events", async ({
  db,
  key,
  organization,
  start,
}) => {
  const { api } = await start(QUIET);
  const { id, claim_token } = await makeEndpoint(api);
  const other = await create(api, "webhooks", { name: "Test" }, claim_token);
  const [first = "", last = ""] = [id, other.id].sort();
  const rival = await makeOrganization(db);
  const captureBoth = () => Promise.all([capture(api, last), capture(api, first)]);
  // Again and again, since a batch that waits for half a second is split.
  const captures: Promise<string[]>[] = [];
  const capturing = setInterval(() => captures.push(captureBoth()), 250);
  const claim = (by: string) => () =>
    api("POST", "/api/claims", { key: by, body: { claim_token } });
  const row = { table: "endpoint_state", key: "endpoint_id", id: first };
  const [early, ...answers] = await whileLocked(db, row, captureBoth, claim(key), claim(rival.key));
  clearInterval(capturing);
  const sent = [...early, ...(await Promise.all(captures)).flat()];
  const won = answers.findIndex(({ status }) => status === 200);
  expect(answers[1 - won]?.status).toBe(400);
  const [owner, ownKey] = won === 0 ? [organization.id, key] : [rival.id, rival.key];
  const claimed = answers[won]?.body.data.map((one: Body) => one.id);
  expect(claimed?.sort()).toEqual([first, last]);
  const events = (
    await Promise.all([first, last].map((at) => allEvents(api, at, {}, ownKey)))
  ).flat();
  expect(events.map((event) => event.id).sort()).toEqual(sent.sort());
  expect(new Set(events.map((event) => event.organization_id))).toEqual(new Set([owner]));
});

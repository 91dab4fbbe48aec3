import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fault-fixtures";
import { fieldsIn, fieldsOf, post } from "../support/forms";
import { APPROVE, ask } from "../support/questions";

/** In local mode a foreign web page cannot reach services on the developer's machine. */

const FOREIGN = ["http://evil.example", "http://evil.example:3000", "null", "https://192.168.1.5"];

test("A foreign page cannot make the service send to a loopback or private target", async ({
  start,
  startDns,
  target,
  db,
}) => {
  const dns = await startDns({ "rebound.example": { A: ["127.0.0.1"] } });
  const server = await start({
    DNS_SERVERS: dns.address,
    DELIVERY_ALLOW_CIDRS: "10.0.0.0/8",
    DISPATCH_INTERVAL_SECONDS: "1",
  });
  const { api, baseUrl } = server;
  const from = (origin: string) => ({ origin });
  const evil = from("http://evil.example");
  const create = (url: string, headers = {}, delay = 0) =>
    api("POST", "/api/messages", { body: { url, delay_seconds: delay }, headers });

  const own = new URL(baseUrl).port;
  for (const origin of FOREIGN) {
    for (const url of [
      target.url,
      `http://localhost:${target.port}/`,
      `http://api.localhost:${target.port}/`,
      `http://[::1]:${target.port}/`,
      "http://10.0.0.1/",
      `http://localhost:${own}/api/messages`,
    ]) {
      expectError(await create(url, from(origin)), 403, "forbidden", "url");
    }
  }
  // Requests from curl, agents, local pages and containers are allowed.
  const allowed = [{}, from("http://localhost:5173"), from("http://127.0.0.1:8080")];
  for (const headers of [...allowed, { host: "agents.internal:3000" }]) {
    expectStatus(await create(target.url, headers), 201);
  }
  await expect.poll(() => target.received.length).toBe(4);

  // The page can neither change nor resend a message created with curl.
  const later = (await create(target.url, {}, 3600)).body.id;
  const path = `/api/messages/${later}`;
  const change = { body: { delay_seconds: 0 }, headers: evil };
  expectError(await api("PATCH", path, change), 403, "forbidden", "url");
  const move = { body: { url: "https://a.example/" }, headers: evil };
  expectError(await api("PATCH", path, move), 403, "forbidden", "url");
  // An empty update changes nothing and is allowed.
  const asItWas = (await api("GET", path)).text;
  const elsewhereLater = (await create("https://a.example/", {}, 3600)).body;
  const nothing = { body: {}, headers: evil };
  const same = await api("PATCH", `/api/messages/${elsewhereLater.id}`, nothing);
  expectStatus(same, 200);
  const unchanged = (await api("GET", `/api/messages/${elsewhereLater.id}`)).body;
  expect(unchanged.updated_at).toBe(elsewhereLater.updated_at);
  expect((await api("GET", path)).text).toBe(asItWas);
  expectError(await api("POST", `${path}/cancel`, { headers: evil }), 403, "forbidden", "url");
  expectStatus(await api("POST", `${path}/cancel`), 200);
  expectError(await api("POST", `${path}/retry`, { headers: evil }), 403, "forbidden", "url");

  // The page cannot redirect its own message to this machine later.
  const elsewhere = (await create("https://a.example/", evil, 3600)).body.id;
  const back = { body: { url: target.url }, headers: evil };
  expectError(await api("PATCH", `/api/messages/${elsewhere}`, back), 403, "forbidden", "url");

  // The page cannot replay a captured request to this machine.
  const endpoint = (await api("POST", "/api/webhooks", { body: { name: "x" } })).body.id;
  const event = (await api("POST", `/api/catch/${endpoint}`, { raw: "x" })).body.event_id;
  const replay = `/api/webhooks/${endpoint}/events/${event}/replay`;
  const again = { body: { url: target.url }, headers: evil };
  expectError(await api("POST", replay, again), 403, "forbidden", "url");

  // The page cannot create a question or schedule that would send to this machine later.
  for (const [kind, body, param] of [
    ["questions", { ...APPROVE, reply_to: { url: target.url } }, "reply_to.url"],
    [
      "schedules",
      { every_seconds: 60, target: { message: { url: target.url } } },
      "target.message.url",
    ],
  ] as const) {
    const refused = await api("POST", `/api/${kind}`, { body, headers: evil });
    expectError(refused, 403, "forbidden", param);
  }

  // Nor can it use or change one that was made with curl.
  const hourly = { paused: true, every_seconds: 3600, target: { message: { url: target.url } } };
  const local = `/api/schedules/${(await api("POST", "/api/schedules", { body: hourly })).body.id}`;
  const asked = { body: { ...APPROVE, reply_to: { url: target.url } } };
  const question = (await api("POST", "/api/questions", asked)).body.id;
  for (const [method, path, body, param] of [
    ["POST", `${local}/run`, undefined, "target.message.url"],
    ["PATCH", local, { name: "x" }, "target.message.url"],
    ["PATCH", local, { target: { message: { url: "https://a.example/" } } }, "target.message.url"],
    ["POST", `/api/questions/${question}/withdraw`, undefined, "reply_to.url"],
    ["PATCH", `/api/questions/${question}`, { expires_in: 60 }, "reply_to.url"],
  ] as const) {
    expectError(await api(method, path, { body, headers: evil }), 403, "forbidden", param);
  }
  // Nor by the form of a question's link, which it can read if its name leads here.
  const linked = await ask(api, undefined, asked.body);
  const page = `/answer/${linked.id}`;
  const rebound = { host: `evil.example:${own}`, origin: `http://evil.example:${own}` };
  const { fields } = await fieldsOf(baseUrl, page, undefined, "answer_token");
  const { answer_token } = linked;
  const opened = await post(baseUrl, page, { ...fields, answer_token }, rebound);
  const form = fieldsIn(opened.body, "answer_token");
  const given = await post(baseUrl, page, { ...form, answer: "approve" }, rebound);
  expect(given.body).toContain("A web page from another origin may not send to this machine");
  expect((await api("GET", linked.path)).body.state).toBe("open");
  const { reason } = JSON.parse((await api("POST", `${local}/run`)).text);
  expect(reason).toBeNull();
  await expect.poll(() => target.received.length).toBe(5);

  // A name that resolves to this machine is refused on delivery, for every creator of the message.
  const named = `http://rebound.example:${target.port}/`;
  const byPage = (await create(named, evil)).body.id;
  const byCurl = (await create(named, {}, 3600)).body.id;
  const hurry = { body: { delay_seconds: 0 }, headers: evil };
  expectStatus(await api("PATCH", `/api/messages/${byCurl}`, hurry), 200);
  const canceled = (await create(named, {}, 3600)).body.id;
  expectStatus(await api("POST", `/api/messages/${canceled}/cancel`), 200);
  expectStatus(await api("POST", `/api/messages/${canceled}/retry`, { headers: evil }), 200);
  const replayed = (await api("POST", replay, { body: { url: named }, headers: evil })).body.id;
  const schedule = await api("POST", "/api/schedules", {
    body: { paused: true, every_seconds: 3600, target: { message: { url: named } } },
    headers: evil,
  });
  const run = await api("POST", `/api/schedules/${schedule.body.id}/run`);
  const { resource_id: scheduled } = JSON.parse(run.text);
  const byName = { ...hourly, target: { message: { url: named } } };
  const ownSchedule = (await api("POST", "/api/schedules", { body: byName })).body.id;
  const byRun = await api("POST", `/api/schedules/${ownSchedule}/run`, { headers: evil });
  const { resource_id: started } = JSON.parse(byRun.text);
  const open = await ask(api, undefined, { ...APPROVE, reply_to: { url: named } });
  const postpone = { body: { expires_in: 600 }, headers: evil };
  expectStatus(await api("PATCH", open.path, postpone), 200);
  expectStatus(await open.answer("approve"), 200);
  const { rows } = await db.query<{ id: string }>(
    "SELECT id FROM scheduled_messages ORDER BY created_at DESC, id DESC LIMIT 1",
  );
  const answered = rows[0]?.id;
  for (const id of [byPage, byCurl, canceled, replayed, scheduled, started, answered]) {
    const read = () => api("GET", `/api/messages/${id}`);
    await expect.poll(async () => (await read()).text).toContain("blocked_address");
    const final = { status: "failed", attempts: 1, next_attempt_at: null };
    expect((await read()).body).toMatchObject(final);
  }
  expectStatus(await create(named), 201);
  await expect.poll(() => target.received.length).toBe(6);
});

test("A foreign page may start a dispatch, and learns neither IDs nor what targets say", async ({
  start,
  startTarget,
}) => {
  const target = await startTarget((response) =>
    response.writeHead(302, { location: "/?token=1" }).end(),
  );
  const { api, baseUrl } = await start({ DISPATCH_INTERVAL_SECONDS: "0" });
  const dispatchDue = async (method: string, headers = {}) => {
    const body = { url: target.url, delay_seconds: 0 };
    const { id } = (await api("POST", "/api/messages", { body })).body;
    const { text } = await api(method, "/api/messages/dispatch", { headers });
    return { id, results: JSON.parse(text).results };
  };
  const rebound = { host: `evil.example:${new URL(baseUrl).port}` };
  const unnamed = {
    status: "failed",
    attempts: 1,
    response_status: 302,
    error: "redirect_not_followed",
    next_attempt_at: null,
  };
  for (const [method, headers] of [
    ...FOREIGN.map((origin) => ["POST", { origin }] as const),
    ["GET", { origin: "http://evil.example" }],
    ["GET", rebound],
  ] as const) {
    const { results } = await dispatchDue(method, headers);
    expect(results).toEqual([unnamed]);
  }
  for (const method of ["POST", "GET"]) {
    const { id, results } = await dispatchDue(method);
    expect(results).toMatchObject([{ id, error: expect.stringContaining("token=1") }]);
  }
});

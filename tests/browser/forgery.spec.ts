import { chromium } from "playwright/test";
import { everyAction } from "../support/actions";
import { browserLaunch } from "../support/browser";
import { expect, test } from "../support/browser-fixtures";
import { fieldsOf, post } from "../support/forms";
import { openSession } from "../support/people";
import { freePort, SERVE, startServer } from "../support/servers";

/** Forms as a browser without scripts sends them, so that every header is the test's own. */

test("A form sent by another site is refused", async ({ person, db, baseUrl, own }) => {
  const form = await fieldsOf(baseUrl, "/tasks?new=1", await openSession(db, person.id), "name");
  const fields = { ...form.fields, name: "Forged" };
  const send = (headers: Record<string, string>) =>
    post(baseUrl, "/tasks?new=1", fields, { cookie: form.cookie, ...headers });
  const foreign: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: baseUrl, "sec-fetch-site": "cross-site" },
    { origin: baseUrl, "sec-fetch-site": "same-site" },
  ];
  for (const headers of foreign) {
    expect((await send(headers)).status, JSON.stringify(headers)).toBe(403);
  }
  for (const page of new Set(everyAction().map((action) => action.page))) {
    const at = page.replaceAll(/\[[^\]]+\]/g, "x");
    for (const headers of foreign) {
      expect((await post(baseUrl, at, {}, headers)).status, at).toBe(403);
    }
  }
  const count = async () => (await own.read("tasks")).data.length;
  expect(await count()).toBe(0);
  expect((await send({ origin: baseUrl })).status).toBe(303);
  expect(await count()).toBe(1);
});

test("A form sent twice creates one task, even at once", async ({ person, db, baseUrl, own }) => {
  const path = "/tasks?new=1";
  const { fields, cookie } = await fieldsOf(
    baseUrl,
    path,
    await openSession(db, person.id),
    "name",
  );
  const press = () => post(baseUrl, path, { ...fields, name: "Once" }, { cookie, origin: baseUrl });
  const responses = [...(await Promise.all([press(), press()])), await press()];
  const places = responses.map(({ status, headers }) => `${status} ${headers.location}`);
  expect(new Set(places).size).toBe(1);
  const body = await own.read("tasks");
  expect(body.data.map(({ id }) => `303 /tasks/${id}`)).toEqual([places[0]]);
});

test("Over HTTPS the cookie is Secure and bound to the host, and HSTS is set", async ({
  databaseUrl,
  key,
}) => {
  const port = await freePort();
  const server = await startServer([SERVE], port, {
    BASE_URL: "https://agents.example.com",
    DATABASE_URL: databaseUrl,
    SERVER_SECRET: "0123456789abcdef0123456789abcdef",
    AGENT_AUTH_SECRET: "0123456789abcdef0123456789abcdef",
    DISPATCH_INTERVAL_SECONDS: "0",
  });
  const here = `http://127.0.0.1:${port}`;
  try {
    const { fields } = await fieldsOf(here, "/sign-in", undefined, "key");
    const response = await post(
      here,
      "/sign-in",
      { ...fields, key },
      { origin: "https://agents.example.com" },
    );
    expect(response.status).toBe(303);
    const cookie = String(response.headers["set-cookie"]);
    expect(cookie).toMatch(/^__Host-session=[\w-]{43};/);
    expect(cookie).toMatch(/; Secure/);
    expect(cookie).toMatch(/; HttpOnly/i);
    expect(cookie).toMatch(/; SameSite=lax/i);
    expect(cookie).not.toMatch(/Domain=/i);
    expect(response.headers["strict-transport-security"]).toBe("max-age=31536000");
    for (const host of ["agents.example.com", "evil.example"]) {
      const forged = await post(here, "/sign-in", fields, { host, origin: `http://${host}` });
      expect(forged.status, host).toBe(403);
    }
  } finally {
    await server.stop();
  }
});

test("Pages allow only their own scripts, and cannot be framed", async ({ request }) => {
  const headersOf = async (path: string) => (await request.get(path)).headers();
  const headers = await headersOf("/sign-in");
  const policy = headers["content-security-policy"] ?? "";
  expect(policy).toMatch(/script-src 'self' 'nonce-[\w+/=]{24}' 'strict-dynamic'/);
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(headers["x-content-type-options"]).toBe("nosniff");
  expect((await headersOf("/sign-in"))["content-security-policy"]).not.toBe(policy);
});

test("A person who opens a capture URL does not reveal their session", async ({
  page,
  api,
  otherOrganization: { key },
}) => {
  const { body } = await api("POST", "/api/webhooks", { key, body: { name: "Trap" } });
  await page.goto(`/api/catch/${body.id}`);
  const events = await api("GET", `/api/webhooks/${body.id}/events`, { key });
  expect(events.text).toContain("session=[redacted]");
  for (const { value } of await page.context().cookies()) expect(events.text).not.toContain(value);
});

test("A foreign page cannot send to this machine's services, even after DNS rebinding", async ({
  baseUrl,
  startTarget,
}) => {
  const { args = [], ...launch } = browserLaunch();
  const rules = "--host-resolver-rules=MAP evil.test 127.0.0.1";
  const browser = await chromium.launch({ ...launch, args: [...args, rules] });
  const site = await startTarget((response) => {
    response.setHeader("Content-Type", "text/html");
    response.end("<title>A page</title>");
  });
  try {
    const page = await browser.newPage();
    const send = (service: string) =>
      page.evaluate(
        async ({ service, url }) => {
          const body = JSON.stringify({ url, delay_seconds: 3600 });
          const response = await fetch(`${service}/api/messages`, { method: "POST", body });
          return { status: response.status, code: (await response.json()).error?.code };
        },
        { service, url: site.url },
      );
    const refused = { status: 403, code: "forbidden" };
    await page.goto(`http://evil.test:${site.port}/`);
    expect(await send(baseUrl)).toEqual(refused);
    await page.goto(`http://evil.test:${new URL(baseUrl).port}/sign-in`);
    expect(await send("")).toEqual(refused);
    await page.goto(site.url);
    expect(await send(baseUrl)).toEqual({ status: 201 });
  } finally {
    await browser.close();
  }
});

test("A form on a rebound name cannot send a message to this machine", async ({ api, baseUrl }) => {
  const body = { url: "http://127.0.0.1:9/", delay_seconds: 3600 };
  const { id } = (await api("POST", "/api/messages", { body })).body;
  await api("POST", `/api/messages/${id}/cancel`);
  const { fields } = await fieldsOf(baseUrl, `/messages/${id}`, undefined, "act");
  const retry = (host: string) =>
    post(
      baseUrl,
      `/messages/${id}`,
      { ...fields, id, act: "retry" },
      { host, origin: `http://${host}` },
    );
  const status = async () => (await api("GET", `/api/messages/${id}`)).body.status;
  await retry(`evil.test:${new URL(baseUrl).port}`);
  expect(await status()).toBe("canceled");
  await retry(new URL(baseUrl).host);
  // Only the retry leaves this status. Another test may have dispatched the message since.
  expect(await status()).not.toBe("canceled");
});

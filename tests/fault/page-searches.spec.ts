import { CHECKED_MS } from "@/lib/identity/credential";
import { limitAt } from "@/lib/upkeep/limits/service";
import { expectStatus } from "../support/expectations";
import { expect, PUBLIC } from "../support/fault-fixtures";
import { lockWaits, whileHeld } from "../support/locks";
import { withOneServer } from "../support/one-server";
import { cookieOf, makePerson } from "../support/people";
import { pause } from "../support/servers";
import { capture, makeEndpoint } from "../support/webhooks";

const WAITING = limitAt("searches.waiting_per_network_max");

const test = withOneServer(PUBLIC);

test("A page waits for its search where a call of its network gets 429", async ({
  server: { api },
  db,
  organization,
  key,
}) => {
  const cookie = await cookieOf(db, (await makePerson(db, organization.id)).id);
  const open = (path: string) => api("GET", path, { headers: { cookie } });
  expectStatus(await open("/inboxes?q=x"), 200);
  await whileHeld(db, "LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE", async (end) => {
    let refused = 0;
    // One runs, and one more than may wait.
    const searches = Array.from({ length: WAITING + 2 }, async () => {
      const { status } = await api("GET", "/api/tasks?q=x", { key });
      if (status === 429) refused += 1;
    });
    await expect.poll(() => refused, { intervals: [20] }).toBe(1);
    const page = open("/inboxes?q=x");
    // A page without a search; by its end, the other has asked for its turn.
    expectStatus(await open("/settings"), 200);
    await end();
    expectStatus(await page, 200);
    await Promise.all(searches);
  });
});

test("A page that waits for its search shows nothing of it once its session has ended", async ({
  server: { api },
  db,
  organization,
  key,
}) => {
  const person = await makePerson(db, organization.id);
  const cookie = await cookieOf(db, person.id);
  const open = (path: string) => api("GET", path, { headers: { cookie } });
  const name = "Confidential";
  expectStatus(await api("POST", "/api/inboxes", { key, body: { name } }), 201);
  expect((await open("/inboxes?q=con")).text).toContain(name);
  await whileHeld(db, "LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE", async (end) => {
    const search = api("GET", "/api/tasks?q=x", { key });
    await expect.poll(() => lockWaits(db), { intervals: [20] }).toBeGreaterThan(0);
    const page = open("/inboxes?q=con");
    // By its end, the other has asked for its turn.
    expectStatus(await open("/settings"), 200);
    await db.query("DELETE FROM sessions WHERE user_id = $1", [person.id]);
    await pause(CHECKED_MS + 100);
    await end();
    expect((await page).text).not.toContain(name);
    await search;
  });
});

test("A download that waits for its turn gets nothing once its session has ended", async ({
  server: { api },
  db,
  organization,
  key,
}) => {
  const person = await makePerson(db, organization.id);
  const cookie = await cookieOf(db, person.id);
  const open = (path: string) => api("GET", path, { headers: { cookie } });
  const endpoint = await makeEndpoint(api, { key });
  const event = await capture(api, endpoint.id, { raw: "Confidential" });
  const path = `/webhooks/${endpoint.id}/events/${event}/body`;
  for (const first of [path, "/settings"]) expectStatus(await open(first), 200);
  await whileHeld(db, "LOCK TABLE webhook_events IN ACCESS EXCLUSIVE MODE", async (end) => {
    // Two run, and the third waits.
    const downloads = [open(path), open(path), open(path)];
    await expect.poll(() => lockWaits(db), { intervals: [20] }).toBeGreaterThanOrEqual(2);
    // By its end, the third has asked for its turn.
    expectStatus(await open("/settings"), 200);
    await db.query("DELETE FROM sessions WHERE user_id = $1", [person.id]);
    await pause(CHECKED_MS + 100);
    await end();
    const statuses = (await Promise.all(downloads)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 200, 401]);
  });
});

test("Pages of two networks that wait for their searches keep no page of a third one waiting", async ({
  server: { api },
  db,
  organization,
  key,
}) => {
  const cookie = await cookieOf(db, (await makePerson(db, organization.id)).id);
  const from = (address: string) => ({ cookie, "x-forwarded-for": address });
  const open = (path: string, address: string) => api("GET", path, { headers: from(address) });
  const networks = ["198.51.100.1", "198.51.100.2"];
  const other = "198.51.100.3";
  for (const path of ["/inboxes?q=x", "/settings"]) expectStatus(await open(path, other), 200);
  await whileHeld(db, "LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE", async (end) => {
    const searches = networks.map((address) =>
      api("GET", "/api/tasks?q=x", { key, headers: { "x-forwarded-for": address } }),
    );
    await expect.poll(() => lockWaits(db), { intervals: [20] }).toBeGreaterThanOrEqual(2);
    let answered = 0;
    // As many as a network has turns for.
    const pages = [...networks, ...networks].map(async (address) => {
      const { status } = await open("/inboxes?q=x", address);
      answered += 1;
      return status;
    });
    // By the end of the first, all pages have arrived.
    for (const path of ["/settings", "/settings"]) expectStatus(await open(path, other), 200);
    expect(answered).toBe(0);
    await end();
    expect(await Promise.all(pages)).toEqual([200, 200, 200, 200]);
    await Promise.all(searches);
  });
});

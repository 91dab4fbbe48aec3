import { limitAt } from "@/lib/upkeep/limits/service";
import { expectStatus } from "../support/expectations";
import { expect, PUBLIC, test } from "../support/fault-fixtures";
import { cookieOf, makePerson } from "../support/people";

const WAITING = limitAt("searches.waiting_per_network_max");

test("A page waits for its search where a call of its network gets 429", async ({
  start,
  db,
  organization,
  key,
}) => {
  const { api } = await start(PUBLIC);
  const cookie = await cookieOf(db, (await makePerson(db, organization.id)).id);
  const open = (path: string) => api("GET", path, { headers: { cookie } });
  expectStatus(await open("/inboxes?q=x"), 200);
  const lock = await db.connect();
  await lock.query("BEGIN; LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE");
  let refused = 0;
  // One runs, and one more than may wait.
  const searches = Array.from({ length: WAITING + 2 }, async () => {
    const { status } = await api("GET", "/api/tasks?q=x", { key });
    if (status === 429) refused += 1;
  });
  await expect.poll(() => refused).toBe(1);
  const page = open("/inboxes?q=x");
  // A page without a search; by its end, the other has asked for its turn.
  expectStatus(await open("/settings"), 200);
  await lock.query("COMMIT");
  lock.release();
  expectStatus(await page, 200);
  await Promise.all(searches);
});

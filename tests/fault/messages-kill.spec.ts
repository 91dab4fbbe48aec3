import type { Pool } from "pg";
import { connectEmbeddedPostgres } from "@/lib/platform/embedded-postgres/start";
import { expect, query, test, withDatabase } from "../support/fault-fixtures";
import { makeKeyText } from "../support/keys";
import { countByStatus, insertMessages } from "../support/messages";
import { freePort, postmasterPid } from "../support/servers";
import { arrivals } from "../support/target";

const endLeases = (db: Pool) =>
  db.query("UPDATE scheduled_messages SET due_at = unix_now() WHERE due_at > unix_now()");

const KILLS = 2;
const MESSAGES = 120;

test(`Of ${MESSAGES} messages none is lost over ${KILLS} kills, and each duplicate is a counted attempt`, async ({
  readyDataDir: dataDir,
  start,
  startTarget,
}) => {
  test.setTimeout(30 * 60_000);
  const environment = {
    DATA_DIR: dataDir,
    BOOTSTRAP_API_KEY: makeKeyText(),
    DISPATCH_INTERVAL_SECONDS: "1",
    DELIVERIES_PER_HOST_MAX: "4",
  };
  const port = await freePort();
  const target = await startTarget((response) => void setTimeout(() => response.end("ok"), 100));
  const again = await startTarget((response) => void setTimeout(() => response.end("ok"), 100));
  let server = await start(environment, port);
  const postgres = await connectEmbeddedPostgres({ dataDir });
  const insert = (url: string) =>
    withDatabase(postgres.url, (db) => insertMessages(db, { url, count: MESSAGES / 2 }));
  const ids = [...(await insert(target.url)), ...(await insert(again.url))];
  const received = () => [...target.received, ...again.received];

  for (let round = 0; round < KILLS; round++) {
    const sent = received().length;
    // Kill in the middle of deliveries: some have completed, others are running.
    await expect.poll(() => received().length, { intervals: [50] }).toBeGreaterThan(sent + 5);
    if (round === 1) {
      const pid = postmasterPid(dataDir) ?? 0;
      process.kill(pid, "SIGQUIT");
      // Restarted at the same address: without one, the next server would choose another.
      await expect.poll(() => postmasterPid(dataDir) ?? pid).not.toBe(pid);
      // The new one recovers first, and refuses connections until then.
      await expect(() => query(postgres.url, "SELECT 1")).toPass();
    }
    server.kill("SIGKILL");
    await server.exited;
    // The leases that died with a process, and the pauses between attempts, would take a minute to end.
    if (round === KILLS - 1) await withDatabase(postgres.url, endLeases);
    server = await start(environment, port);
  }
  await expect
    .poll(() => withDatabase(postgres.url, countByStatus), { timeout: 240_000 })
    .toEqual({ delivered: MESSAGES });

  const counts = arrivals(received());
  const { rows } = await withDatabase(postgres.url, (db) =>
    db.query<{ id: string; attempts: number }>("SELECT id, attempts FROM scheduled_messages"),
  );
  const attempts = new Map(rows.map(({ id, attempts }) => [id, attempts]));
  const lost = ids.filter((id) => !counts.has(id));
  const duplicates = [...counts].filter(([, count]) => count > 1);
  const unexplained = [...counts].filter(([id, count]) => count > (attempts.get(id) ?? 0));
  console.log(
    `${received().length} sent, ${counts.size} distinct, ${lost.length} lost, ${duplicates.length} duplicates, each of a message whose process died (${unexplained.length} others)`,
  );
  expect(lost).toEqual([]);
  expect(unexplained).toEqual([]);
  for (const [id] of duplicates) expect(attempts.get(id)).toBeGreaterThanOrEqual(2);
  await postgres.stop();
});

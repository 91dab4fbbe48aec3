import { connectEmbeddedPostgres } from "@/lib/platform/embedded-postgres/start";
import { expect, test, withDatabase } from "../support/fault-fixtures";
import { makeKeyText } from "../support/keys";
import { countByStatus, insertMessages } from "../support/messages";
import { freePort, pause, postmasterPid } from "../support/servers";
import { arrivals, startTarget } from "../support/target";

const KILLS = 20;
const MESSAGES = 600;

test(`Of ${MESSAGES} messages none is lost over ${KILLS} kills, and each duplicate is a counted attempt`, async ({
  dataDir,
  start,
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
    if (round === 6 || round === 13) {
      process.kill(postmasterPid(dataDir) ?? 0, "SIGQUIT");
      await pause(500);
    }
    server.kill("SIGKILL");
    await server.exited;
    server = await start(environment, port);
  }
  const killedAt = performance.now();
  await expect
    .poll(() => withDatabase(postgres.url, countByStatus), { timeout: 240_000, intervals: [3000] })
    .toEqual({ delivered: MESSAGES });
  const seconds = (performance.now() - killedAt) / 1000;

  const counts = arrivals(received());
  const { rows } = await withDatabase(postgres.url, (db) =>
    db.query<{ id: string; attempts: number }>("SELECT id, attempts FROM scheduled_messages"),
  );
  const attempts = new Map(rows.map(({ id, attempts }) => [id, attempts]));
  const lost = ids.filter((id) => !counts.has(id));
  const duplicates = [...counts].filter(([, count]) => count > 1);
  const unexplained = [...counts].filter(([id, count]) => count > (attempts.get(id) ?? 0));
  console.log(
    `${received().length} sent, ${counts.size} distinct, ${lost.length} lost, ${duplicates.length} duplicates, each of a message whose process died (${unexplained.length} others); all delivered ${seconds.toFixed(0)} s after the last kill`,
  );
  expect(lost).toEqual([]);
  expect(unexplained).toEqual([]);
  for (const [id] of duplicates) expect(attempts.get(id)).toBeGreaterThanOrEqual(2);
  await postgres.stop();
  await target.stop();
  await again.stop();
});

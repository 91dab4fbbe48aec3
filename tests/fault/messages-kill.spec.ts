import pg from "pg";
import { connectEmbeddedPostgres } from "@/lib/embedded-postgres/start";
import { expect, test } from "../support/fault-fixtures";
import { makeKeyText } from "../support/keys";
import { insertMessages } from "../support/messages";
import { freePort, pause, postmasterPid } from "../support/servers";
import { startTarget } from "../support/target";

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
  const insert = async (url: string) => {
    const db = new pg.Pool({ connectionString: postgres.url, max: 1 });
    const ids = await insertMessages(db, { url, count: MESSAGES / 2 });
    await db.end();
    return ids;
  };
  const ids = [...(await insert(target.url)), ...(await insert(again.url))];
  const received = () => [...target.received, ...again.received];

  for (let round = 0; round < KILLS; round++) {
    const sent = received().length;
    // Kill in the middle of deliveries: some have completed, others are running.
    await expect.poll(() => received().length, { intervals: [10] }).toBeGreaterThan(sent + 5);
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
    .poll(async () => statuses(postgres.url), { timeout: 240_000, intervals: [1000] })
    .toEqual({ delivered: MESSAGES });
  const seconds = (performance.now() - killedAt) / 1000;

  const counts = new Map<string, number>();
  for (const { headers } of received()) {
    const id = String(headers["webhook-id"]);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const attempts = await attemptsOf(postgres.url);
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

async function statuses(url: string) {
  const rows = await query<{ status: string; count: string }>(
    url,
    "SELECT status, count(*) FROM scheduled_messages GROUP BY status",
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]));
}

async function attemptsOf(url: string) {
  const rows = await query<{ id: string; attempts: number }>(
    url,
    "SELECT id, attempts FROM scheduled_messages",
  );
  return new Map(rows.map(({ id, attempts }) => [id, attempts]));
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

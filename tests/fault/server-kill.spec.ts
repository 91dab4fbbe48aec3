import { expectStatus } from "../support/expectations";
import { expect, test } from "../support/fault-fixtures";
import type { Api } from "../support/http";
import { makeKeyText } from "../support/keys";
import { generator } from "../support/random";
import { freePort, pause, postmasterPid, type RunningServer } from "../support/servers";

const KILLS = 3;
const WRITERS = 8;

test(`Every acknowledged write survives ${KILLS} kills, and the next server adopts the Postgres`, async ({
  readyDataDir: dataDir,
  start,
}) => {
  test.setTimeout(30 * 60_000);
  const seed = Number(process.env.KILL_SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`KILL_SEED=${seed}`);
  const random = generator(seed);
  const key = makeKeyText();
  const port = await freePort();
  const environment = { DATA_DIR: dataDir, BOOTSTRAP_API_KEY: key };
  const acknowledged = new Map<string, string>();
  let running = 0;

  for (let round = 0; round < KILLS; round += 1) {
    const server = await start(environment, port);
    const postgres = postmasterPid(dataDir) ?? 0;
    if (round === 1) expect(postgres, "the Postgres of the killed server").toBe(running);
    running = postgres;
    const target = acknowledged.size + 5 + Math.floor(random() * 60);
    const writing = Array.from({ length: WRITERS }, (_, writer) =>
      write(server, key, `${round}.${writer}`, acknowledged),
    );
    while (acknowledged.size < target) await Promise.race([pause(10), failed(writing)]);
    // The second round kills the database just before the server, the third just after.
    killed.add(server);
    if (round === 1) process.kill(postgres, "SIGKILL");
    server.kill("SIGKILL");
    if (round === 2) process.kill(postgres, "SIGKILL");
    await server.exited;
    await Promise.all(writing);
  }

  const server = await start(environment, port);
  const stored = await readAll(server.api, key);
  const lost = [...acknowledged].filter(([id, name]) => stored.get(id) !== name);
  console.log(`${acknowledged.size} acknowledged, ${stored.size} stored, ${lost.length} lost`);
  expect(lost).toEqual([]);
  expect(acknowledged.size).toBeGreaterThanOrEqual(KILLS * 5);
});

/** Servers being killed; their writers may fail. */
const killed = new WeakSet<RunningServer>();

/** Creates tasks until the server is killed, and records each that was acknowledged. */
async function write(
  server: RunningServer,
  key: string,
  writer: string,
  acknowledged: Map<string, string>,
) {
  for (let n = 0; ; n += 1) {
    const name = `Task ${writer}.${n}`;
    const response = await server
      .api("POST", "/api/tasks", { key, body: { name } })
      .catch(() => null);
    if (response?.status === 201) acknowledged.set(response.body.id, name);
    else if (killed.has(server)) return;
    else throw new Error(`Refused before the kill: ${response?.status} ${response?.text}`);
  }
}

function failed(writing: Array<Promise<void>>) {
  return Promise.race(writing).then(() => undefined);
}

async function readAll(api: Api, key: string) {
  const names = new Map<string, string>();
  let after: string | null = null;
  do {
    const query: Record<string, string | number> = after ? { limit: 100, after } : { limit: 100 };
    const page = await api("GET", "/api/tasks", { key, query });
    expectStatus(page, 200);
    for (const { id, name } of page.body.data) names.set(id, name);
    after = page.body.next_cursor;
  } while (after);
  return names;
}

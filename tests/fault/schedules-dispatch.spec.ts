import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import type { Pool } from "pg";
import { makeOrganization } from "../support/accounts";
import { expectStatus } from "../support/expectations";
import { expect, PUBLIC, QUIET, test, withDatabase } from "../support/fault-fixtures";
import { makeInbox } from "../support/inboxes";
import { whileLocked, whileUncommitted } from "../support/locks";
import { withOneServer } from "../support/one-server";
import { rowsOf } from "../support/rows";
import { makeSchedule, rewind, runsOf } from "../support/schedules";
import { pause, plainEnvironment, ROOT } from "../support/servers";

/** Dispatchers that share a database, over a clock that the test moves. */

const DISPATCHERS = 3;
const STEP_SECONDS = 110;
/** Of the steps at which something is due. */
const KILL_EVERY = 9;

/** The nights in which clocks change in Berlin, both at 01:00Z. */
const NIGHTS = [
  ["2027-03-27T23:30Z", "2027-03-28T03:30Z"],
  ["2027-10-30T23:30Z", "2027-10-31T03:30Z"],
] as const;

/** Later looks: after 300 seconds a time still runs, and after 301 it is missed. */
const LATE_TIME = unix("2027-11-10T00:00Z");
const LATE_LOOKS = ["2027-11-10T00:05:00Z", "2027-11-10T06:05:01Z"].map(unix);

const TIMEZONE = "Europe/Berlin";
const every = (minutes: number, [from, to]: readonly [string, string]) => {
  const first = Math.ceil(unix(from) / (minutes * 60)) * minutes * 60;
  const count = Math.floor((unix(to) - first) / (minutes * 60)) + 1;
  return Array.from({ length: count }, (_, n) => first + n * minutes * 60);
};
const SCHEDULES: { body: object; times: number[] }[] = [
  {
    body: { cron: "30 2 * * *", timezone: TIMEZONE },
    times: ["2027-03-28T01:00Z", "2027-10-31T00:30Z"].map(unix),
  },
  {
    body: { cron: "0,30 2,3 * * *", timezone: TIMEZONE },
    times: [
      "2027-03-28T01:00Z",
      "2027-03-28T01:30Z",
      "2027-10-31T00:00Z",
      "2027-10-31T00:30Z",
      "2027-10-31T02:00Z",
      "2027-10-31T02:30Z",
    ].map(unix),
  },
  {
    body: { cron: "*/20 * * * *", timezone: TIMEZONE },
    times: [...NIGHTS.flatMap((night) => every(20, night)), LATE_TIME],
  },
  {
    body: { cron: "@hourly", timezone: TIMEZONE },
    times: [...NIGHTS.flatMap((night) => every(60, night)), LATE_TIME],
  },
  {
    body: { every_seconds: 600, starts_at: unix("2027-01-01T00:00Z") },
    times: [...NIGHTS.flatMap((night) => every(10, night)), LATE_TIME],
  },
];

test(`${DISPATCHERS} dispatchers run each time exactly once through both changes of clocks, though they are killed`, async ({
  sharedServers: [server],
  sharedDatabase,
}) => {
  await withDatabase(sharedDatabase, async (db) => {
    const { key } = await makeOrganization(db);
    const made = await Promise.all(
      SCHEDULES.map(({ body }) =>
        makeSchedule(server.api, key, { every_seconds: undefined, ...body }),
      ),
    );
    await untilPlanned(db);
    await db.query(`DROP SCHEMA IF EXISTS moved CASCADE; CREATE SCHEMA moved;
      CREATE TABLE moved.clock AS SELECT 0::bigint AS now;
      CREATE FUNCTION moved.unix_now() RETURNS BIGINT LANGUAGE SQL STABLE
      AS $$ SELECT now FROM moved.clock $$`);
    const setClock = (now: number) => db.query("UPDATE moved.clock SET now = $1", [now]);
    const program = await buildDispatcher();
    const url = new URL(sharedDatabase);
    url.searchParams.set("options", "-csearch_path=moved,public");
    const startOne = () => startDispatcher(program, url.href);
    const dispatchers = Array.from({ length: DISPATCHERS }, startOne);
    await Promise.all(dispatchers.map(({ ready }) => ready));
    // The servers may run what is due now.
    const first = unix(NIGHTS[0][0]);
    let dueSteps = 0;
    let kills = 0;
    for (const [from, to] of NIGHTS) {
      // Twice more than needed, for what was locked by a dispatcher that died.
      for (let now = unix(from); now < unix(to) + 2 * STEP_SECONDS; now += STEP_SECONDS) {
        const isDue = now % 600 < STEP_SECONDS;
        const isKill = isDue && ++dueSteps % KILL_EVERY === 0;
        // One that starts would take no part.
        if (isKill) await Promise.all(dispatchers.map(({ ready }) => ready));
        await setClock(now);
        const working = dispatchers.map((one) => one.dispatch());
        if (isKill) {
          // At different moments of the work.
          await pause(kills % 4);
          const victim = kills++ % DISPATCHERS;
          dispatchers[victim]?.kill();
          dispatchers[victim] = startOne();
        }
        await Promise.all(working);
      }
    }
    for (const now of LATE_LOOKS) {
      await Promise.all(dispatchers.map(({ ready }) => ready));
      await setClock(now);
      await Promise.all(dispatchers.map((one) => one.dispatch()));
    }
    for (const one of dispatchers) one.kill();
    expect(kills).toBeGreaterThan(3);
    for (const [index, { body, times }] of SCHEDULES.entries()) {
      const { rows } = await db.query<{ time: string; tasks: string }>(
        `SELECT scheduled_for AS time, count(tasks.id) AS tasks FROM schedule_runs AS run
         LEFT JOIN tasks ON tasks.id = run.resource_id AND schedule_time = scheduled_for
         WHERE run.schedule_id = $1 AND scheduled_for >= $2 GROUP BY 1 ORDER BY 1`,
        [made[index]?.id, first],
      );
      const shown = (time: number) => new Date(time * 1000).toISOString();
      expect(
        rows.map(({ time, tasks }) => `${tasks} at ${shown(Number(time))}`),
        JSON.stringify(body),
      ).toEqual(times.map((time) => `1 at ${shown(time)}`));
    }
    // No resource of a run exists without the run.
    const tasks = await rowsOf(db).task.count({ where: { schedule_time: { gte: first } } });
    const wanted = SCHEDULES.reduce((sum, { times }) => sum + times.length, 0);
    expect(tasks).toBe(wanted);
  });
});

test("A network's many due schedules do not delay another's", async ({ start, db }) => {
  const { api } = await start({ ...QUIET, ...PUBLIC });
  const make = async (address: string, name: string) => {
    const body = { every_seconds: 60, target: { task: { name } } };
    const headers = { "x-forwarded-for": address };
    const response = await api("POST", "/api/schedules", { body, headers });
    expectStatus(response, 201);
    return response.body.id;
  };
  const many = await make("198.51.100.1", "one of many");
  const single = await make("198.51.100.2", "single");
  expectStatus(await api("POST", "/api/messages/dispatch"), 200);
  await db.query(
    `INSERT INTO schedules SELECT copy.* FROM schedules AS one, generate_series(1, 300) AS n, LATERAL
       jsonb_populate_record(one, jsonb_build_object('id', one.id || lpad(n::text, 3, '0'))) AS copy
     WHERE one.id = $1`,
    [many],
  );
  await db.query(
    `UPDATE schedules SET created_at = created_at - 90, checked_until = checked_until - 90,
       due_at = unix_now() - CASE WHEN id = $1 THEN 0 ELSE 10 END`,
    [single],
  );
  expectStatus(await api("POST", "/api/messages/dispatch"), 200);
  const { rows } = await db.query<{ before: number; runs: number }>(
    `SELECT (count(*) FILTER (WHERE id < (SELECT id FROM schedule_runs WHERE schedule_id = $1)))::int
       AS before, count(*)::int AS runs FROM schedule_runs`,
    [single],
  );
  expect(rows[0]?.runs).toBe(302);
  expect(rows[0]?.before).toBeLessThan(100);
});

const it = withOneServer(QUIET);

it("A locked inbox holds up only the schedules that send to it, which run later, before they are changed", async ({
  server: { api },
  db,
  key,
}) => {
  const dispatch = async () => expectStatus(await api("POST", "/api/messages/dispatch"), 200);
  const inbox = await makeInbox(api, {}, key);
  const target = { inbox_event: { inbox_id: inbox.id } };
  const [held, other] = [await makeSchedule(api, key, { target }), await makeSchedule(api, key)];
  const pausing = await makeSchedule(api, key, { target });
  const pause = () => api("PATCH", `/api/schedules/${pausing.id}`, { key, body: { paused: true } });
  for (const { id } of [held, other]) await rewind(db, id, 90);
  const lock = await db.connect();
  try {
    await lock.query("BEGIN");
    await lock.query("SELECT FROM inbox_state WHERE inbox_id = $1 FOR UPDATE", [inbox.id]);
    await dispatch();
    expect(await runsOf(api, held.id, key)).toEqual([]);
    expect(await runsOf(api, other.id, key)).toHaveLength(1);
    await rewind(db, pausing.id, 90);
    expectStatus(await pause(), 503);
  } finally {
    // Also ends the transaction after a failure.
    lock.release(true);
  }
  expectStatus(await pause(), 200);
  await dispatch();
  for (const { id } of [held, pausing]) {
    expect(await runsOf(api, id, key)).toMatchObject([{ status: "created" }]);
  }
});

it("A full inbox is emptied of expired events while no other schedule's inbox is held", async ({
  server: { api },
  db,
  key,
}) => {
  const made = [1, 2, 3].map(() => makeInbox(api, { max_events: 1 }, key));
  // In the order in which a dispatch locks them.
  const inboxes = (await Promise.all(made)).sort((one, other) => (one.id < other.id ? -1 : 1));
  const [, full] = inboxes;
  expectStatus(await api("POST", `/api/inboxes/${full?.id}/events`, { raw: "old" }), 201);
  await db.query("UPDATE inbox_events SET expires_at = 1, lapses_at = to_timestamp(1)");
  await db.query(`CREATE TABLE held (others INTEGER);
    CREATE FUNCTION count_held() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO held SELECT count(*) FROM inbox_events
        WHERE inbox_id <> OLD.inbox_id AND xmin = pg_current_xact_id()::xid;
      RETURN OLD;
    END $$;
    CREATE TRIGGER count_held BEFORE DELETE ON inbox_events FOR EACH ROW EXECUTE FUNCTION count_held()`);
  try {
    const schedules = await Promise.all(
      inboxes.map(({ id }) =>
        makeSchedule(api, key, { target: { inbox_event: { inbox_id: id } } }),
      ),
    );
    for (const { id } of schedules) await rewind(db, id, 90);
    expectStatus(await api("POST", "/api/messages/dispatch"), 200);
    for (const { id } of schedules) {
      expect(await runsOf(api, id, key)).toMatchObject([{ status: "created" }]);
    }
    expect((await db.query("SELECT others FROM held")).rows).toEqual([{ others: 0 }]);
  } finally {
    await db.query("DROP TABLE held; DROP FUNCTION count_held CASCADE");
  }
});

it("A time that is due runs before a change, even if a dispatcher gives it up or it has just become due", async ({
  server: { api },
  db,
  key,
}) => {
  const starts_at = Math.floor(Date.now() / 1000) - 86_410;
  const make = () => makeSchedule(api, key, { every_seconds: 86_400, starts_at });
  const [given, planned] = [await make(), await make()];
  expectStatus(await api("POST", "/api/messages/dispatch"), 200);
  const becomeDue = (id: string) =>
    `UPDATE schedules SET checked_until = checked_until - 60, due_at = unix_now() WHERE id = '${id}'`;
  const pause = (id: string) =>
    api("PATCH", `/api/schedules/${id}`, { key, body: { paused: true } });
  await db.query(becomeDue(given.id));
  const row = { table: "schedules", id: given.id };
  const [afterDispatcher] = await whileLocked(db, row, () => pause(given.id));
  const afterRead = await whileUncommitted(db, [becomeDue(planned.id)], "UPDATE schedules", () =>
    pause(planned.id),
  );
  for (const response of [afterDispatcher, afterRead]) expectStatus(response, 200);
  for (const { id } of [given, planned]) {
    expect(await runsOf(api, id, key)).toMatchObject([{ scheduled_for: starts_at + 86_400 }]);
  }
});

it("A schedule that is paused while dispatch is off does not run", async ({
  server: { api },
  db,
  key,
}) => {
  const { id } = await makeSchedule(api, key);
  await rewind(db, id, 90);
  await db.query(
    "INSERT INTO restores (taken_at, lost_after_xid, lost_until_xid) VALUES (0, 0, 0)",
  );
  const paused = await api("PATCH", `/api/schedules/${id}`, { key, body: { paused: true } });
  expectStatus(paused, 200);
  expect(await runsOf(api, id, key)).toEqual([]);
});

// The last of those that share a database, whose clock it stops.
it("A repeat of a create gets the same response, whatever the server's clock", async ({
  server: { api },
  db,
  key,
}) => {
  // The database's clock stands still, an hour ahead of the server's.
  const now = Math.floor(Date.now() / 1000) + 3600;
  await db.query(`CREATE OR REPLACE FUNCTION unix_now() RETURNS BIGINT LANGUAGE SQL STABLE
    PARALLEL SAFE AS $$ SELECT ${now}::bigint $$`);
  const hourly = { every_seconds: 3600, starts_at: now + 60 };
  for (const timing of [
    { every_seconds: 60 },
    { cron: "@hourly" },
    hourly,
    { ...hourly, paused: true },
  ]) {
    const create = () =>
      api("POST", "/api/schedules", {
        key,
        headers,
        body: { target: { task: { name: "x" } }, ...timing },
      });
    const headers = { "idempotency-key": crypto.randomUUID() };
    const first = await create();
    expectStatus(first, 201);
    const again = await create();
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.text).toBe(first.text);
    expect(again.headers.need("etag")).toBe(first.headers.need("etag"));
  }
});

/** The servers' own dispatchers look at a new schedule once, at the real time. */
async function untilPlanned(db: Pool) {
  const unplanned = "SELECT FROM schedules WHERE due_at <= unix_now()";
  await expect.poll(async () => (await db.query(unplanned)).rowCount, { timeout: 30_000 }).toBe(0);
}

interface Dispatcher {
  ready: Promise<unknown>;
  /** Resolves when it has run what is due, has died, or is still starting. */
  dispatch(): Promise<void>;
  kill(): void;
}

/** One file, since a dozen processes run it. */
async function buildDispatcher(): Promise<string> {
  const outfile = path.join(ROOT, "test-results/schedule-dispatcher.mjs");
  await build({
    absWorkingDir: ROOT,
    entryPoints: ["tests/support/schedule-dispatcher.ts"],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
  });
  return outfile;
}

function startDispatcher(program: string, databaseUrl: string): Dispatcher {
  const child: ChildProcess = spawn(process.execPath, [program], {
    cwd: ROOT,
    env: { ...plainEnvironment(), DATABASE_URL: databaseUrl },
    stdio: ["pipe", "pipe", "inherit"],
  });
  if (!child.stdin || !child.stdout) throw new Error("A dispatcher has no pipes.");
  const { stdin } = child;
  stdin.on("error", () => {});
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, "exit");
  let isReady = false;
  const ready = once(lines, "line").then(() => {
    isReady = true;
  });
  return {
    ready,
    async dispatch() {
      if (!isReady) return;
      const done = once(lines, "line");
      stdin.write("\n");
      await Promise.race([done, ended]);
    },
    kill: () => void child.kill("SIGKILL"),
  };
}

function unix(time: string): number {
  return Date.parse(time) / 1000;
}

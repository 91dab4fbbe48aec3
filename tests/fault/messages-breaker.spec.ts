import pg from "pg";
import { expectStatus } from "../support/expectations";
import { expect, test } from "../support/fault-fixtures";
import { randomText } from "../support/keys";
import { insertMessages } from "../support/messages";
import { freePort } from "../support/servers";
import { startTarget } from "../support/target";

/** How dispatch treats an unreachable host. */

const RESULTS = 1;
const LEASES = 2;

/** Blocks the writing of results, or of leases, while the test holds that advisory lock. */
const GATES = `
  CREATE FUNCTION gate() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.status = 'delivering' THEN PERFORM pg_advisory_xact_lock_shared(${LEASES});
    ELSIF OLD.status = 'delivering' THEN PERFORM pg_advisory_xact_lock_shared(${RESULTS});
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER gate BEFORE UPDATE ON scheduled_messages FOR EACH ROW EXECUTE FUNCTION gate()`;

test("After 3 connection failures in a row a host is only probed, and its other messages wait untried", async ({
  makeDatabase,
  start,
}) => {
  const DATABASE_URL = await makeDatabase();
  const server = await start({
    DATABASE_URL,
    SERVER_SECRET: randomText(40),
    DISPATCH_INTERVAL_SECONDS: "0",
    // One lease for each dispatch.
    DISPATCH_BUDGET_MS: "0",
  });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const db = new pg.Client({ connectionString: DATABASE_URL });
  await db.connect();
  await db.query(GATES);
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 1 });
  const dispatch = async () => {
    const response = await server.api("POST", "/api/messages/dispatch");
    expectStatus(response, 200);
    return response.body;
  };
  const close = (gate: number) => db.query("SELECT pg_advisory_lock($1)", [gate]);
  const open = (gate: number) => db.query("SELECT pg_advisory_unlock($1)", [gate]);
  const waitingAt = (gate: number) =>
    expect.poll(async () => {
      const text =
        "SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted";
      return (await db.query(text, [gate])).rowCount;
    });
  const states = async (ids: string[]) => {
    const text = `SELECT status, attempts, lease_token IS NOT NULL AS leased, count(*)::integer
      FROM scheduled_messages WHERE id = ANY ($1) GROUP BY 1, 2, 3 ORDER BY 1`;
    return (await db.query(text, [ids])).rows;
  };
  const failed = (count: number) => ({ status: "failed", attempts: 1, leased: false, count });
  const untried = (count: number) => ({ status: "scheduled", attempts: 0, leased: false, count });
  const delivered = (count: number) => ({ status: "delivered", attempts: 1, leased: false, count });

  await close(RESULTS);
  const first = await insertMessages(pool, { url, count: 3 });
  const failing = dispatch();
  // Results are written one at a time.
  await waitingAt(RESULTS).toBe(1);
  await close(LEASES);
  const later = await insertMessages(pool, { url, count: 5 });
  const leasing = dispatch();
  await waitingAt(LEASES).toBe(1);
  await open(RESULTS);
  expect(await failing).toMatchObject({ dispatched: 3, failed: 3 });
  expect(await states(first)).toEqual([failed(3)]);
  // The host is known to be down before the lease of five messages completes.
  await open(LEASES);
  expect(await leasing).toMatchObject({ dispatched: 1, failed: 1 });
  expect(await states(later)).toEqual([failed(1), untried(4)]);

  expect(await dispatch()).toMatchObject({ dispatched: 1, failed: 1 });
  expect(await states(later)).toEqual([failed(2), untried(3)]);

  const target = await startTarget(undefined, port);
  expect(await dispatch()).toMatchObject({ dispatched: 1, delivered: 1 });
  expect(await dispatch()).toMatchObject({ dispatched: 2, delivered: 2 });
  expect(await states(later)).toEqual([delivered(3), failed(2)]);
  expect(target.received).toHaveLength(3);
  await target.stop();
  await pool.end();
  await db.end();
});

import type { Pool } from "pg";
import { expectStatus } from "../support/expectations";
import { expect, QUIET } from "../support/fault-fixtures";
import type { Api } from "../support/http";
import { makeInbox } from "../support/inboxes";
import { withOneServer } from "../support/one-server";
import { pause } from "../support/servers";
import { capture, makeEndpoint } from "../support/webhooks";

/** Whatever waits for locks, other requests find a connection to the database. */

/** More than take a turn each while a request waits for a connection: what gives up on a lock leaves its own to the next. */
const CAPTURES = 60;
/** More than there are connections. */
const CLAIMS = 6;

const it = withOneServer({ ...QUIET, DATABASE_POOL_SIZE: "4" });

it("Captures of many locked endpoints leave connections for other requests", async ({
  server: { api },
  db,
}) => {
  const endpoints = await Promise.all(
    Array.from({ length: CAPTURES }, async () => (await makeEndpoint(api)).id),
  );
  await whileTableLocked(api, db, "endpoint_state", () =>
    endpoints.map((id) => capture(api, id, { raw: "x" })),
  );
});

it("Captures of many locked endpoints with a forward leave connections for other requests", async ({
  server: { api },
  db,
}) => {
  const endpoints = await Promise.all(Array.from({ length: CAPTURES }, () => makeForwarding(api)));
  await whileTableLocked(api, db, "endpoint_state", () =>
    endpoints.map((id) => capture(api, id, { raw: "x" })),
  );
});

it("Events that wait to be sent to many URLs leave connections for other requests", async ({
  server: { api },
  db,
}) => {
  const endpoints = await Promise.all(Array.from({ length: CAPTURES }, () => makeForwarding(api)));
  // A capture does not lock it, and what makes a message of its event does.
  await whileTableLocked(api, db, "webhook_endpoints", () =>
    endpoints.map((id) => capture(api, id, { raw: "x" })),
  );
});

it("Claims that wait for each other leave connections for other requests", async ({
  server: { api },
  db,
  key,
}) => {
  const { claim_token } = (await api("POST", "/api/tasks", { body: { name: "x" } })).body;
  const claims = await whileTableLocked(api, db, "tasks", () =>
    Array.from({ length: CLAIMS }, () =>
      api("POST", "/api/claims", { key, body: { claim_token } }),
    ),
  );
  expect(claims.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
});

async function makeForwarding(api: Api): Promise<string> {
  const { id } = await makeEndpoint(api);
  const body = { url: "http://localhost:9/" };
  expectStatus(await api("PUT", `/api/webhooks/${id}/forward`, { body }), 200);
  // After the first one the server knows that the endpoint has a forward.
  await capture(api, id, { raw: "first" });
  return id;
}

/** Sends requests while all rows of a table are locked, and then others, which do not need them. */
async function whileTableLocked<Answer>(
  api: Api,
  db: Pool,
  table: string,
  send: () => Promise<Answer>[],
): Promise<Answer[]> {
  const other = await makeInbox(api);
  const lock = await db.connect();
  try {
    await lock.query(`BEGIN; SELECT FROM ${table} FOR UPDATE`);
    const sent = send();
    const waiting = `SELECT FROM pg_stat_activity
                     WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await db.query(waiting)).rowCount).toBeGreaterThan(0);
    // A batch of captures gives up after half a second, and then each waits alone.
    await pause(1000);
    for (let count = 0; count < 10; count++) expectStatus(await other.get(), 200);
    await lock.query("COMMIT");
    return await Promise.all(sent);
  } finally {
    // Also ends the transaction after a failure.
    lock.release(true);
  }
}

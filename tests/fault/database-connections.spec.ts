import type { Pool } from "pg";
import { expectStatus } from "../support/expectations";
import { expect, QUIET } from "../support/fault-fixtures";
import type { Api } from "../support/http";
import { makeInbox } from "../support/inboxes";
import { lockWaits, whileHeld } from "../support/locks";
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
  await captureWhileLocked(api, db, "endpoint_state", async () => (await makeEndpoint(api)).id);
});

it("Captures of many locked endpoints with a forward leave connections for other requests", async ({
  server: { api },
  db,
}) => {
  await captureWhileLocked(api, db, "endpoint_state", () => makeForwarding(api));
});

it("Events that wait to be sent to many URLs leave connections for other requests", async ({
  server: { api },
  db,
}) => {
  // A capture does not lock it, and what makes a message of its event does.
  await captureWhileLocked(api, db, "webhook_endpoints", () => makeForwarding(api));
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

async function captureWhileLocked(api: Api, db: Pool, table: string, make: () => Promise<string>) {
  const endpoints = await Promise.all(Array.from({ length: CAPTURES }, make));
  await whileTableLocked(api, db, table, () =>
    endpoints.map((id) => capture(api, id, { raw: "x" })),
  );
}

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
  return whileHeld(db, `SELECT FROM ${table} FOR UPDATE`, async (end) => {
    const sent = send();
    await expect.poll(() => lockWaits(db), { intervals: [20] }).toBeGreaterThan(0);
    // A batch of captures gives up after half a second, and then each waits alone.
    await pause(1000);
    for (let count = 0; count < 10; count++) expectStatus(await other.get(), 200);
    await end();
    return Promise.all(sent);
  });
}

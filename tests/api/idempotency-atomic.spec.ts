import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { operations } from "@/lib/api/registry";
import { tagOf } from "@/lib/api/tags";
import { isCreate } from "@/lib/platform/http/operation";
import { makeOrganization } from "../support/accounts";
import { expect, test } from "../support/batch-fixtures";
import { expectStatus } from "../support/expectations";
import { bodyOf, pathOf, queryOf, type ValidRequest, validRequests } from "../support/requests";
import { deadEvent, inboxEvent, leasedEvent, task } from "../support/resources";

/**
 * A server may be killed between the effect of a request and the record of its response. A repeat
 * must then not act again, so each operation writes both in one transaction. Here the database
 * refuses the record: the effect must be gone too.
 */

test.describe.configure({ mode: "default" });

/** Requests that have an effect, where the valid one of the table has none. */
const EFFECTIVE: Record<string, Partial<ValidRequest>> = {
  leaseNextTask: { kind: task },
  receiveInboxEvents: { kind: inboxEvent },
  redriveInboxEvents: { kind: deadEvent },
  settleInboxEvents: {
    kind: async (making) => {
      const resource = await leasedEvent(making);
      return { ...resource, proof: { ...resource.proof, event_id: resource.params.eventId } };
    },
    body: (proof) => ({ acks: [proof] }),
  },
  registerAgent: { status: 201, body: { type: "anonymous" } },
};

/** What a repeat may do again: it changes nothing the second time, as each create of a batch has its own record. */
const WITHOUT_RECORD = ["cancelWebhookReplay", "runBatch"];

/** Operations that refuse keys. */
const FOR_PEOPLE = ["answerQuestion"];

const repeatable = operations.filter(
  (operation) =>
    operation.repeatable && !isCreate(operation) && !WITHOUT_RECORD.includes(operation.id),
);

// Other files leave 100,000 rows, and each test here reads every row four times.
test.beforeAll(({ lone }) => lone.db.query("TRUNCATE organizations, users CASCADE"));

for (const operation of repeatable) {
  const valid = { ...validRequests[operation.id], ...EFFECTIVE[operation.id] } as ValidRequest;
  if (valid.status >= 400) continue; // agent claims need mail; see tests/api/agent-auth-claim.spec.ts
  test(`${operation.id} has no effect unless the response for its repeats is recorded`, async ({
    lone,
  }) => {
    const { api, rawApi, db } = lone;
    const { key } = await makeOrganization(db);
    const owner = tagOf(operation) === "Claims" ? undefined : key;
    const resource = await valid.kind?.({ api, db, key: owner });
    const options = {
      ...(operation.auth !== "ignored" && !FOR_PEOPLE.includes(operation.id) && { key }),
      body: bodyOf(valid, resource),
      query: queryOf(valid, resource),
      headers: { "idempotency-key": randomUUID() },
    };
    const path = pathOf(operation, valid, resource);
    await rawApi("GET", "/api/me", { key }); // the first use of a key is written
    const before = await contentsOf(db);
    const refused = await withoutRecords(db, () => rawApi(operation.method, path, options));
    expect(refused.status, refused.text).toBeGreaterThanOrEqual(500);
    expect(await contentsOf(db)).toEqual(before);

    const done = await api(operation.method, path, options);
    expectStatus(done, valid.status);
    expect(await contentsOf(db)).not.toEqual(before);
    const again = await api(operation.method, path, options);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    if (operation.id !== "ingestInboxEvent") expect(again.text).toBe(done.text);
  });
}

/** Refuses to store responses while `work` runs. */
async function withoutRecords<Result>(db: Pool, work: () => Promise<Result>): Promise<Result> {
  await db.query(`
    CREATE OR REPLACE FUNCTION refuse_record() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'no record'; END $$;
    CREATE TRIGGER refuse_record BEFORE UPDATE ON idempotency_records
    FOR EACH ROW WHEN (NEW.owner IS NULL) EXECUTE FUNCTION refuse_record()`);
  try {
    return await work();
  } finally {
    await db.query("DROP TRIGGER refuse_record ON idempotency_records");
  }
}

/** Columns that reads change too, or that only wake others. */
const INCIDENTAL = ["last_used_at", "uses_by_day", "awaited_until", "tasks_awaited_until"];

/** A digest of the rows of each table that holds resources, accounts or their history. */
async function contentsOf(db: Pool): Promise<Record<string, string>> {
  const { rows: tables } = await db.query<{ name: string }>(`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND relname NOT IN ('idempotency_records', '_prisma_migrations', 'rate_limits')`);
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await db.query<{ digest: string }>(
      `SELECT md5(coalesce(string_agg(row, ',' ORDER BY row), '')) AS digest
       FROM (SELECT (to_jsonb(one) - $1::text[])::text AS row FROM "${name}" AS one) AS all_rows`,
      [INCIDENTAL],
    );
    digests[name] = rows[0]?.digest ?? "";
  }
  return digests;
}

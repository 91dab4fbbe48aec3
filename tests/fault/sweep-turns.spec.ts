import type { Pool } from "pg";
import { expect, QUIET } from "../support/fault-fixtures";
import { makeInbox } from "../support/inboxes";
import { withOneServer } from "../support/one-server";
import { APPROVE, ask } from "../support/questions";
import { sweep } from "../support/sweep";
import { capture, makeEndpoint } from "../support/webhooks";

/** A sweep copes with any amount of work, and what fails holds up nothing else. */

const it = withOneServer(QUIET);

it("A sweep expires all events of an inbox beside one whose events cannot be expired", async ({
  server: { api },
  db,
}) => {
  const failing = await makeInbox(api);
  const other = await makeInbox(api);
  for (const [id, events] of [
    [failing.id, 1],
    [other.id, 2500],
  ]) {
    await db.query(
      `INSERT INTO inbox_events (inbox_id, queue_id, id, headers, body, size_bytes, query_string,
                                 visible_at, lapses_at, expires_at)
       SELECT $1, $1, 'iev_' || n, '{}', '', 0, '', now(), now(), 0
       FROM generate_series(1, $2::int) AS n`,
      [id, events],
    );
  }
  await whileFailing(db, "DELETE", `OLD.inbox_id = '${failing.id}'`, () => sweep(api, db));
  const { rows } = await db.query(
    "SELECT inbox_id, count(*)::int AS count FROM inbox_events GROUP BY inbox_id",
  );
  expect(rows).toEqual([{ inbox_id: failing.id, count: 1 }]);
});

it("A sweep sends the reply to a question beside others that cannot be sent", async ({
  server: { api },
  db,
}) => {
  const inboxes = await Promise.all(Array.from({ length: 8 }, () => makeInbox(api)));
  const other = await makeInbox(api);
  for (const { id } of [...inboxes, ...inboxes, other]) {
    await ask(api, undefined, { ...APPROVE, reply_to: { inbox_id: id } });
  }
  await db.query("UPDATE questions SET expires_at = 0, state = 'expired'");
  const tries = await whileFailing(db, "INSERT", `NEW.inbox_id <> '${other.id}'`, () =>
    sweep(api, db),
  );
  expect(await other.eventCount()).toBe(1);
  // One for each inbox: a failure may take as long as a statement may.
  expect(tries).toBe(inboxes.length);
});

it("A sweep removes captured events that a server had purged when it ended", async ({
  server: { api },
  db,
}) => {
  const { id } = await makeEndpoint(api);
  await capture(api, id, { raw: "purged" });
  // As a purge leaves it.
  await db.query(
    "UPDATE endpoint_state SET event_count = 0, gone_up_to = (SELECT max(id) FROM webhook_events)",
  );
  const kept = await capture(api, id, { raw: "kept" });
  await sweep(api, db);
  const { rows } = await db.query("SELECT id FROM webhook_events");
  expect(rows).toEqual([{ id: kept }]);
});

/** Lets statements fail that write such a row of an inbox, and returns how many did. */
async function whileFailing(
  db: Pool,
  what: "INSERT" | "DELETE",
  condition: string,
  work: () => Promise<void>,
) {
  await db.query(`CREATE SEQUENCE tries; CREATE FUNCTION time_out() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM nextval('tries'); RAISE EXCEPTION 'Too slow' USING ERRCODE = '57014'; END $$;
    CREATE TRIGGER time_out BEFORE ${what} ON inbox_events FOR EACH ROW
      WHEN (${condition}) EXECUTE FUNCTION time_out()`);
  await work();
  const { rows } = await db.query<{ last_value: number }>("SELECT last_value::int FROM tries");
  await db.query(`DROP TRIGGER time_out ON inbox_events; DROP FUNCTION time_out();
    DROP SEQUENCE tries`);
  return rows[0]?.last_value;
}

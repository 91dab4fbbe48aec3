import { replayEnded, startReplay } from "../support/bulk-replays";
import { expect, QUIET, test } from "../support/fault-fixtures";
import { fillEndpoint, makeEndpoint } from "../support/webhooks";

test("A bulk replay continues where it was when its server is killed, and sends nothing twice", async ({
  db,
  key,
  start,
  startHoldingTarget,
}) => {
  const target = await startHoldingTarget();
  const killed = await start(QUIET);
  const { id } = await makeEndpoint(killed.api, { key, max_events: 200 });
  await fillEndpoint(db, { id, count: 120 });
  const { id: replayId } = await startReplay(killed.api, id, { url: target.url }, key);
  await expect.poll(() => target.held.length).toBeGreaterThan(0);
  killed.kill("SIGKILL");
  await killed.exited;
  target.open();
  // Their leases end.
  await db.query(
    "UPDATE scheduled_messages SET due_at = unix_now() WHERE webhook_replay_id = $1 AND status = 'delivering'",
    [replayId],
  );
  const { api } = await start(QUIET);
  await api("POST", "/api/messages/dispatch");
  const ended = await replayEnded(api, id, replayId, key);
  expect(ended).toMatchObject({ status: "completed", total: 120, searched: 120 });
  expect(ended.delivered + ended.failed).toBe(120);
  const numbers = target.received.map(({ body }) => JSON.parse(body.toString()).number);
  // What was about to be sent when the server was killed counts as failed.
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers.length).toBeGreaterThanOrEqual(ended.delivered);
  expect(numbers.length).toBeLessThanOrEqual(120);
});

import { changesOf } from "../support/changes";
import { expectStatus } from "../support/expectations";
import { expect, QUIET, test } from "../support/fault-fixtures";
import { makeInbox, whileLocked } from "../support/inboxes";
import { lockWaits } from "../support/locks";
import { connect } from "../support/mcp";
import { pollerOf } from "../support/mcp-events";
import { APPROVE, ask } from "../support/questions";

test("A server that is killed between an answer and its event has stored neither, and after the answer both", async ({
  db,
  key,
  start,
}) => {
  const killed = await start(QUIET);
  const { id: inbox_id } = await makeInbox(killed.api, {}, key);
  const question = await ask(killed.api, key, { ...APPROVE, reply_to: { inbox_id } });
  await whileLocked(db, inbox_id, async () => {
    const answering = question.answer("approve").catch(() => null);
    await expect.poll(() => lockWaits(db)).toBeGreaterThan(0);
    killed.kill("SIGKILL");
    expect(await answering).toBeNull();
    await killed.exited;
  });
  const second = await start(QUIET);
  const read = await second.api("GET", question.path, { key });
  expect(read.body.state).toBe("open");
  const body = { answer: "deny", answer_token: question.answer_token };
  expectStatus(await second.api("POST", `${question.path}/answer`, { body }), 200);
  second.kill("SIGKILL");
  await second.exited;
  const stored = "SELECT body FROM inbox_events WHERE inbox_id = $1";
  const { rows } = await db.query<{ body: Buffer }>(stored, [inbox_id]);
  expect(rows.map(({ body }) => JSON.parse(body.toString()))).toEqual([
    expect.objectContaining({
      type: "questions.answered",
      data: expect.objectContaining({ id: question.id, answer: "deny" }),
    }),
  ]);
});

test("An event of an answer that cannot be read comes later, with the answer", async ({
  db,
  key,
  start,
}) => {
  const { api, baseUrl } = await start(QUIET);
  const client = await connect(baseUrl, { key });
  const poller = await pollerOf(client, "question.answered");
  const question = await ask(api, key);
  expectStatus(await question.answer("approve"), 200);
  const answered = () => changesOf(api, key, { kind: "questions", action: "answered" });
  await expect.poll(answered).toHaveLength(1);
  await db.query("ALTER TABLE questions RENAME TO missing");
  await expect(poller.next()).rejects.toThrow();
  await db.query("ALTER TABLE missing RENAME TO questions");
  expect(await poller.next()).toMatchObject([{ data: { state: "answered", answer: "approve" } }]);
  await client.close();
});

import { expectStatus, expectWithin } from "../support/expectations";
import { expect } from "../support/fixtures";
import { test } from "../support/mcp";
import { startCallback } from "../support/mcp-callback";
import { callEvents, openStream, pollerOf } from "../support/mcp-events";
import { APPROVE, ask } from "../support/questions";

/** `question.answered`, the event of MCP Events. */

const NAME = "question.answered";

test("The event of one public question comes by poll and by stream, once, with the answer", async ({
  api,
  baseUrl,
  connect,
}) => {
  const question = await ask(api, undefined);
  const args = { question_id: question.id };
  const poller = await pollerOf(await connect(), NAME, args);
  const stream = await openStream(baseUrl, { name: NAME, arguments: args });
  await expect.poll(() => stream.frames).toHaveLength(1);
  expect(await poller.next()).toEqual([]);
  const answered = performance.now();
  expectStatus(await question.answer("deny"), 200);
  await expect.poll(() => stream.events(), { intervals: [20] }).toHaveLength(1);
  await expectWithin(api, 1000, performance.now() - answered);
  const data = { question_id: question.id, state: "answered", answer: "deny" };
  const event = { name: NAME, data };
  expect(stream.events()[0]?.params).toMatchObject(event);
  expect(await poller.next()).toMatchObject([event]);
  expect(await poller.next()).toEqual([]);
  const late = await pollerOf(await connect(), NAME, args);
  expect(await late.next()).toMatchObject([event]);
  stream.close();
});

test("The answers, expiries and withdrawals of an organization are events in their order, to poll and at a callback", async ({
  api,
  connect,
  db,
  key,
  otherOrganization,
}) => {
  const { delivery, events, stop } = await startCallback();
  try {
    const client = await connect({ key });
    const poller = await pollerOf(client, NAME);
    await callEvents(client, "subscribe", { name: NAME, delivery });
    const [answered, withdrawn, deleted] = [
      await ask(api, key, { prompt: "What name?", kind: "text" }),
      await ask(api, key),
      await ask(api, key),
    ];
    expectStatus(await (await ask(api, otherOrganization.key)).answer("deny"), 200);
    expectStatus(await answered.answer("Ada"), 200);
    expectStatus(await api("POST", `${withdrawn.path}/withdraw`, { key }), 200);
    expectStatus(await deleted.answer("approve"), 200);
    const wanted = [
      { question_id: answered.id, state: "answered", answer: "Ada" },
      { question_id: withdrawn.id, state: "withdrawn", answer: null },
      { question_id: deleted.id, state: "answered" },
    ];
    const polled: unknown[] = [];
    const poll = async () => {
      polled.push(...(await poller.next()).map(({ data }) => data));
      return polled;
    };
    await expect.poll(poll).toMatchObject(wanted);
    await expect.poll(() => events.map(({ data }) => data)).toMatchObject(wanted);
    const expiring = await ask(api, key, { ...APPROVE, on_expiry: "deny" });
    const one = await pollerOf(client, NAME, { question_id: expiring.id });
    await db.query("UPDATE questions SET expires_at = unix_now() WHERE id = $1", [expiring.id]);
    const expired = { question_id: expiring.id, state: "expired", answer: "deny" };
    await expect
      .poll(async () => (await one.next()).map(({ data }) => data))
      .toMatchObject([expired]);
  } finally {
    await stop();
  }
});

test("Questions of others and public ones are not delivered as events, and an unknown argument is named", async ({
  api,
  connect,
  key,
  otherOrganization,
}) => {
  const foreign = await ask(api, otherOrganization.key);
  const [client, anonymous] = [await connect({ key }), await connect()];
  const poll = (by: typeof client, args: object, cursor: string | null = null) =>
    callEvents(by, "poll", { name: NAME, arguments: args, cursor });
  await expect(poll(client, { question_id: foreign.id })).rejects.toMatchObject({ code: -32024 });
  await expect(poll(client, { question_id: "qst_0" })).rejects.toMatchObject({ code: -32023 });
  await expect(poll(anonymous, {})).rejects.toMatchObject({ code: -32024 });
  const bad = { code: -32602, message: expect.stringContaining('"state"') };
  await expect(poll(client, { state: "answered" })).rejects.toMatchObject(bad);
  const own = await ask(api, key);
  const cursor = { code: -32602, message: expect.stringContaining('"cursor"') };
  await expect(poll(client, { question_id: own.id }, "end_2")).rejects.toMatchObject(cursor);
});

import { makeOrganization } from "../support/accounts";
import { expectStatus } from "../support/expectations";
import { expect, test } from "../support/fault-fixtures";
import { connect } from "../support/mcp";
import { startCallback } from "../support/mcp-callback";
import { callEvents } from "../support/mcp-events";
import { pause } from "../support/servers";
import { capture, makeEndpoint } from "../support/webhooks";

/** Subscribing to MCP Events without end. */

const CALLS = 130;
const CALLERS = 20;
const CAPTURES = 10;
const SUBSCRIPTIONS_MAX = 100;
const LIMIT_REACHED = -32_025;

test(`${CALLS} subscribe calls get no more than the limit, and a client that refreshes each second misses nothing`, async ({
  db,
  key,
  start,
}) => {
  const server = await start();
  const flooding = await makeOrganization(db);
  const flooded = await startCallback();
  const flooder = await connect(server.baseUrl, { key: flooding.key });
  const outcomes = new Map<number, number>();
  let calls = 0;
  const flood = async () => {
    for (let n = calls++; n < CALLS; n = calls++) {
      // Half of them are for one callback, which need not be verified each time.
      const { delivery } = flooded;
      const url = n % 2 === 0 ? delivery.url : `${delivery.url}?${n}`;
      const params = {
        name: "task.ready",
        arguments: { labels: [`${n}`] },
        delivery: { ...delivery, url },
      };
      const code = await callEvents(flooder, "subscribe", params).then(
        () => 0,
        (error) => error.code,
      );
      outcomes.set(code, (outcomes.get(code) ?? 0) + 1);
    }
  };

  const { id } = await makeEndpoint(server.api, { key });
  const own = await startCallback();
  const client = await connect(server.baseUrl, { key });
  const asked = { name: "webhook.received", arguments: { endpoint_id: id } };
  const subscribe = () =>
    callEvents<{ id: string }>(client, "subscribe", { ...asked, delivery: own.delivery });
  const first = await subscribe();
  let isOver = false;
  const refreshing = (async () => {
    for (; !isOver; await pause(1000)) {
      expect(await subscribe()).toMatchObject({
        id: first.id,
        truncated: false,
        deliveryStatus: { active: true },
      });
    }
  })();
  const all = Promise.all(Array.from({ length: CALLERS }, flood));
  const captured: string[] = [];
  for (let n = 0; n < CAPTURES; n += 1) {
    captured.push(await capture(server.api, id, { raw: `${n}` }));
    const task = { key, body: { name: `${n}` } };
    expectStatus(await server.api("POST", "/api/tasks", task), 201);
    await expect.poll(() => own.accepted.at(-1)?.eventId).toBe(captured.at(-1));
  }
  await all;
  isOver = true;
  await refreshing;

  expect(own.accepted.map(({ eventId }) => eventId)).toEqual(captured);
  expect(own.controls.map(({ type }) => type)).toEqual(["verification"]);
  expect([...outcomes.keys()].toSorted()).toEqual([0, LIMIT_REACHED].toSorted());
  expect([...outcomes.values()].reduce((sum, count) => sum + count)).toBe(CALLS);
  const { rows } = await db.query<{ count: number }>(
    "SELECT count(*)::int FROM subscriptions WHERE organization_id = $1",
    [flooding.id],
  );
  expect(rows).toEqual([{ count: SUBSCRIPTIONS_MAX }]);
  for (const one of [own, flooded]) {
    expect(one.failures).toEqual([]);
    await one.stop();
  }
});

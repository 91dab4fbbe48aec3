import { expect, test } from "../support/fault-fixtures";
import { connect } from "../support/mcp";
import { startCallback } from "../support/mcp-callback";
import { callEvents } from "../support/mcp-events";
import { pause, processesOf } from "../support/servers";
import { allEvents, makeEndpoint } from "../support/webhooks";

/** Events for a callback under kills. */

const CAPTURES = 80;
const SENDERS = 10;
const KILLS = 2;
const TWO = { WEB_CONCURRENCY: "2" };
/** As after a minute and a half: a message that a killed server was sending is sent again. */
const END_LEASES = "UPDATE scheduled_messages SET due_at = unix_now() WHERE due_at > unix_now()";

test(`Of ${CAPTURES} captures during ${KILLS} kills of a server with two processes the callback gets each at least once, in order`, async ({
  db,
  start,
  key,
}) => {
  let server = await start(TWO);
  const callback = await startCallback();
  const { id } = await makeEndpoint(server.api, { max_events: 10_000 });
  const client = await connect(server.baseUrl, { key });
  const asked = { name: "webhook.received", arguments: { endpoint_id: id } };
  await callEvents(client, "subscribe", { ...asked, delivery: callback.delivery });

  let next = 0;
  let answered = 0;
  const sender = async () => {
    for (let n = next++; n < CAPTURES; n = next++) {
      for (;;) {
        const path = `/api/catch/${id}`;
        const response = await server.api("POST", path, { raw: `${n}` }).catch(() => null);
        if (response?.status === 200) break;
        await pause(20);
      }
      answered += 1;
    }
  };
  const sending = Promise.all(Array.from({ length: SENDERS }, sender));
  for (let kill = 1; kill <= KILLS; kill += 1) {
    while (answered < (kill * CAPTURES) / (KILLS + 1)) await pause(10);
    if (kill % 2 === 0) {
      server.kill("SIGKILL");
      await server.exited;
      await db.query(END_LEASES);
      server = await start(TWO);
    } else {
      const [one] = processesOf(server);
      if (one !== undefined) process.kill(one, "SIGKILL");
    }
  }
  await sending;

  const captured = (await allEvents(server.api, id)).map((event) => event.id).toReversed();
  const last = captured.at(-1) ?? "";
  // One after the other, which takes minutes on a busy machine.
  const reached = () => callback.accepted.at(-1)?.eventId;
  await expect.poll(reached, { timeout: 300_000 }).toBe(last);
  const firsts = [...new Set(callback.accepted.map(({ eventId }) => eventId))];
  console.log(`${captured.length} captured, ${callback.accepted.length} delivered`);
  expect(firsts).toEqual(captured);
  expect(callback.accepted.map(({ cursor }) => cursor).toSorted()).toEqual(
    callback.accepted.map(({ cursor }) => cursor),
  );
  expect(callback.failures).toEqual([]);
  await callback.stop();
});

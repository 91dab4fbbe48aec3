import { expect, test } from "../support/fault-fixtures";
import { connect } from "../support/mcp";
import { startCallback } from "../support/mcp-callback";
import { callEvents } from "../support/mcp-events";
import { processesOf } from "../support/servers";
import { allEvents, captureUnderKills, makeEndpoint } from "../support/webhooks";

/** Events for a callback under kills. */

const CAPTURES = 80;
const TWO = { WEB_CONCURRENCY: "2" };
/** As after a minute and a half: a message that a killed server was sending is sent again. */
const END_LEASES = "UPDATE scheduled_messages SET due_at = unix_now() WHERE due_at > unix_now()";

test(`Of ${CAPTURES} captures during two kills of a server with two processes the callback gets each at least once, in order`, async ({
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

  const send = (n: number) => server.api("POST", `/api/catch/${id}`, { raw: `${n}` });
  const killOne = async () => {
    const [one] = processesOf(server);
    if (one !== undefined) process.kill(one, "SIGKILL");
  };
  const killBoth = async () => {
    server.kill("SIGKILL");
    await server.exited;
    await db.query(END_LEASES);
    server = await start(TWO);
  };
  await captureUnderKills(CAPTURES, send, [killOne, killBoth]);

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

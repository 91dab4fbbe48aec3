import { expect, test } from "../support/fault-fixtures";
import { inboxClient, makeInbox } from "../support/inboxes";
import { freePort } from "../support/servers";
import { githubHeaders } from "../support/signatures";
import { allEvents, captureUnderKills, makeEndpoint } from "../support/webhooks";

/** Verification and forwarding under kills. */

const CAPTURES = 90;
const SECRET = "It's a Secret to Everybody";

test(`Of ${CAPTURES} captures during two kills every verified one is in the inbox exactly once`, async ({
  readyDataDir: dataDir,
  start,
}) => {
  const port = await freePort();
  let server = await start({ DATA_DIR: dataDir }, port);
  const endpoint = await makeEndpoint(server.api, { max_events: 10_000 });
  // Smaller than the number of events, so that some are held back and catch up.
  const { id: inboxId } = await makeInbox(server.api, { max_events: 60 });
  const put = (part: string, body: object) =>
    server.api("PUT", `/api/webhooks/${endpoint.id}/${part}`, { body });
  expect((await put("verification", { scheme: "github", secret: SECRET })).status).toBe(200);
  expect((await put("forward", { inbox_id: inboxId })).status).toBe(200);

  const isForged = (n: number) => n % 10 === 9;
  const path = `/api/catch/${endpoint.id}`;
  const send = (n: number) => {
    const headers = githubHeaders(isForged(n) ? "Wrong" : SECRET, `${n}`, `delivery-${n}`);
    return server.api("POST", path, { raw: `${n}`, headers });
  };
  const kill = async () => {
    server.kill("SIGKILL");
    await server.exited;
    server = await start({ DATA_DIR: dataDir }, port);
  };
  await captureUnderKills(CAPTURES, send, [kill, kill]);

  const events = await allEvents(server.api, endpoint.id);
  for (const { body, verified } of events)
    expect(verified, body ?? "").toBe(!isForged(Number(body)));
  const inbox = inboxClient(server.api, inboxId);
  const received: number[] = [];
  const wanted = Array.from({ length: CAPTURES }, (_, n) => n).filter((n) => !isForged(n));
  for (let idle = 0; received.length < wanted.length && idle < 100; ) {
    const batch = await inbox.receive({ limit: 100, wait_seconds: 1, lease_seconds: 60 });
    idle = batch.length === 0 ? idle + 1 : 0;
    received.push(...batch.map(({ body }) => Number(body)));
    const acks = batch.map(({ id, lease_id }) => ({ event_id: id, lease_id }));
    if (batch.length > 0) await inbox.settle({ acks });
  }
  console.log(`${events.length} captured, ${received.length} received`);
  expect(received.sort((a, b) => a - b)).toEqual(wanted);
  expect(await inbox.eventCount()).toBe(0);
});

import { once } from "node:events";
import net from "node:net";
import { join } from "node:path";
import { makeOrganization } from "../support/accounts";
import { selfSigned } from "../support/certificate";
import { expect, PUBLIC, test } from "../support/fault-fixtures";
import { connect } from "../support/mcp";
import { newSecret, startCallback } from "../support/mcp-callback";
import { callEvents } from "../support/mcp-events";
import { capture, makeEndpoint } from "../support/webhooks";
import { startMinute } from "../support/windows";

/** Callbacks of MCP Events whose name leads elsewhere later. */

const HOST = "hook.example";
const ALLOWED = "127.0.0.1";
const PRIVATE = "127.0.0.2";
const LIMIT_REACHED = -32_025;
const NOT_VERIFIED = -32_027;

test("A name that leads to a private address is called neither to verify it nor with an event, and loses none, however often others ask", async ({
  db,
  folder,
  key,
  start,
  startDns,
}) => {
  let address = ALLOWED;
  const dns = await startDns({ [HOST]: () => ({ A: [address] }) });
  const certificate = selfSigned(folder, HOST);
  const server = await start({
    ...PUBLIC,
    DELIVERY_ALLOW_CIDRS: `${ALLOWED}/32`,
    DNS_SERVERS: dns.address,
    NODE_EXTRA_CA_CERTS: join(folder, "cert.pem"),
  });
  const callback = await startCallback(() => 204, newSecret(), certificate);
  const url = callback.url.replace(ALLOWED, HOST);
  let calls = 0;
  const victim = net.createServer((socket) => {
    calls += 1;
    socket.destroy();
  });
  victim.listen(callback.target.port, PRIVATE);
  await once(victim, "listening");

  const { id } = await makeEndpoint(server.api, { key });
  const client = await connect(server.baseUrl, { key });
  const asked = { name: "webhook.received", arguments: { endpoint_id: id } };
  const delivery = { ...callback.delivery, url };
  address = PRIVATE;
  await expect(callEvents(client, "subscribe", { ...asked, delivery })).rejects.toMatchObject({
    code: -32027,
    data: { reason: "connection_refused" },
  });
  expect(callback.controls).toEqual([]);
  const { key: ofOther } = await makeOrganization(db);
  const other = await connect(server.baseUrl, { key: ofOther });
  let code = 0;
  for (let asked = 0; asked < 40 && code !== LIMIT_REACHED; asked += 1) {
    const refused = callEvents(other, "subscribe", { name: "task.ready", delivery });
    code = await refused.catch((error) => error.code);
  }
  expect(code).toBe(LIMIT_REACHED);

  address = ALLOWED;
  await callEvents(client, "subscribe", { ...asked, delivery });
  const ids = [await capture(server.api, id)];
  const accepted = () => callback.accepted.map(({ eventId }) => eventId);
  await expect.poll(accepted).toEqual(ids);
  address = PRIVATE;
  ids.push(await capture(server.api, id));
  const refused = "SELECT FROM scheduled_messages WHERE last_error LIKE 'blocked_address%'";
  await expect.poll(async () => (await db.query(refused)).rowCount).toBe(1);
  address = ALLOWED;
  await db.query(
    "UPDATE scheduled_messages SET due_at = unix_now() WHERE status = 'failed' AND due_at IS NOT NULL",
  );
  await expect.poll(accepted).toEqual(ids);

  expect(calls).toBe(0);
  expect(callback.failures).toEqual([]);
  victim.close();
  await callback.stop();
});

test("When others have used up a host's challenges, an organization gets a first one, and a refused one does not count as its own", async ({
  db,
  start,
  startDns,
}) => {
  const dns = await startDns({});
  const server = await start({ ...PUBLIC, DNS_SERVERS: dns.address });
  const [one, other] = [await makeOrganization(db), await makeOrganization(db)];
  const subscribe = async ({ key }: { key: string }) => {
    const client = await connect(server.baseUrl, { key });
    const url = `https://${HOST}.:8443/hook`; // the same host
    const delivery = { mode: "webhook", url, secret: newSecret() };
    return callEvents(client, "subscribe", { name: "task.ready", delivery }).catch(
      (error) => error.code,
    );
  };
  await startMinute(db);
  await db.query(
    "INSERT INTO usage_windows (id, started_at, uses) VALUES ($1, unix_now() / 60 * 60, 60)",
    [`challenge:${HOST}`],
  );
  expect(await subscribe(one)).toBe(NOT_VERIFIED);
  for (let repeat = 0; repeat < 3; repeat += 1) expect(await subscribe(one)).toBe(LIMIT_REACHED);
  expect(await subscribe(other)).toBe(NOT_VERIFIED);
  const { rows } = await db.query<{ uses: number }>(
    "SELECT uses FROM usage_windows WHERE id = $1",
    [`challenge:${HOST}:valid:${one.id}`],
  );
  expect(rows).toEqual([{ uses: 1 }]);
});

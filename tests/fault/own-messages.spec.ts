import { makeOrganization } from "../support/accounts";
import { expectError, expectStatus } from "../support/expectations";
import { test as base, expect, PUBLIC, QUIET } from "../support/fault-fixtures";
import type { Api } from "../support/http";
import { lookUpReader } from "../support/look-ups";
import { toolCall } from "../support/mcp";
import { insertMessages } from "../support/messages";
import { ask } from "../support/questions";
import { freePort, pause } from "../support/servers";
import { startHour } from "../support/windows";

/** Messages to the service itself count for each organization, or each stranger's network. */

interface Own {
  api: Api;
  /** Sends so many messages of this network or organization to a path, and returns the statuses of the responses. */
  send: (sender: string, path: string, body: object | string, count?: number) => Promise<number[]>;
}

const test = base.extend<{ startOwn: (settings: Record<string, string>) => Promise<Own> }>({
  startOwn: async ({ start, startDns, db }, use) => {
    await use(async (settings) => {
      const dns = await startDns({ "svc.example": { A: ["127.0.0.1"] } });
      const port = await freePort();
      const origin = `http://svc.example:${port}`;
      const own = { BASE_URL: origin, DNS_SERVERS: dns.address };
      const { api } = await start({ ...PUBLIC, ...QUIET, ...settings, ...own }, port);
      await startHour(db);
      let dispatches = 0;
      return {
        api,
        async send(sender, path, body, count = 1) {
          const owner = sender.startsWith("org_")
            ? { organizationId: sender }
            : { network: sender };
          const ids = await insertMessages(db, { url: origin + path, count, ...owner });
          const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
          await db.query("UPDATE scheduled_messages SET body = $2 WHERE id = ANY ($1)", [
            ids,
            bytes,
          ]);
          // A dispatch counts as a write too.
          dispatches += 1;
          const headers = { "x-forwarded-for": `2001:db8:${dispatches.toString(16)}::1` };
          expectStatus(await api("POST", "/api/messages/dispatch", { headers }), 200);
          const { rows } = await db.query<{ status: number }>(
            `SELECT response_status AS status FROM message_attempts
             WHERE message_id = ANY ($1) ORDER BY response_status`,
            [ids],
          );
          return rows.map(({ status }) => status);
        },
      };
    });
  },
});

test("A network's messages to ourselves use up that network's limit, and no other's", async ({
  startOwn,
  db,
}) => {
  const { api, send } = await startOwn({ RATE_LIMIT_ANONYMOUS_CREATES: "4" });
  const task = { name: "x" };
  const create = (address: string, sent: Record<string, string> = {}) =>
    api("POST", "/api/tasks", { body: task, headers: { "x-forwarded-for": address, ...sent } });
  const [direct, batch, tool] = ["198.51.100.1", "198.51.100.2", "198.51.100.3"] as const;
  expect(await send(direct, "/api/tasks", task, 6)).toEqual([201, 201, 201, 201, 429, 429]);
  const operations = Array(6).fill({ method: "POST", path: "/api/tasks", body: task });
  expect(await send(batch, "/api/batch", { operations })).toEqual([200]);
  expect(await send(tool, "/mcp", toolCall("create_task", task), 5)).toEqual(Array(5).fill(200));
  for (const network of [direct, batch, tool]) {
    expectError(await create(network), 429, "rate_limited");
  }
  expect(await send("198.51.100.4", "/api/tasks", task)).toEqual([201]);

  // What such a message creates belongs to its network, too.
  const later = { url: "https://example.com/later", delay_seconds: 3600 };
  expect(await send("198.51.100.4", "/api/messages", later)).toEqual([201]);
  const { rows } = await db.query("SELECT network FROM scheduled_messages WHERE url = $1", [
    later.url,
  ]);
  expect(rows).toEqual([{ network: "198.51.100.4" }]);

  const forged = `198.51.100.5 ${Math.floor(Date.now() / 1000)} ${"0".repeat(32)}`;
  expectError(await create(direct, { "webhook-sent-for": forged }), 429, "rate_limited");
});

test("An organization's messages to ourselves without its key use up its own limit, and no other's", async ({
  startOwn,
  db,
}) => {
  const { send } = await startOwn({ RATE_LIMIT_ANONYMOUS_CREATES: "4" });
  const [one, other] = [await makeOrganization(db), await makeOrganization(db)];
  const task = { name: "x" };
  expect(await send(one.id, "/api/tasks", task, 6)).toEqual([201, 201, 201, 201, 429, 429]);
  expect(await send(other.id, "/api/tasks", task)).toEqual([201]);

  // What such a message creates takes turns with other strangers', and counts for the same.
  const later = { url: "https://example.com/later", delay_seconds: 3600 };
  expect(await send(other.id, "/api/messages", later)).toEqual([201]);
  const { rows } = await db.query("SELECT network FROM scheduled_messages WHERE url = $1", [
    later.url,
  ]);
  expect(rows).toEqual([{ network: `messages-of-${other.id}` }]);
});

test("Messages to ourselves from unclaimed organizations share one limit, also once nobody is left who answers for one", async ({
  startOwn,
  startTcpProxy,
  databaseUrl,
  db,
}) => {
  const lookUps = lookUpReader((await makeOrganization(db)).id);
  const proxy = await startTcpProxy(databaseUrl, lookUps.read);
  const { send } = await startOwn({
    RATE_LIMIT_ANONYMOUS_CREATES: "4",
    PUBLIC_BYTES_PER_NETWORK: "0",
    PUBLIC_BYTES_MAX: "0",
    DATABASE_URL: proxy.url,
  });
  const [claimed, left] = [await makeOrganization(db), await makeOrganization(db)];
  // Without a member and a key, as after the removal of an agent that was never claimed.
  await db.query("INSERT INTO organizations (id, name) VALUES ('org_a', 'a'), ('org_b', 'b')");
  const task = { name: "x" };
  for (const id of ["org_a", "org_b", left.id])
    expect(await send(id, "/api/tasks", task)).toEqual([201]);
  await lookUps.untilSeen(["org_a", "org_b", left.id]);
  expect(await send("org_a", "/api/tasks", task, 3)).toEqual([201, 201, 201]);
  expect(await send("org_b", "/api/tasks", task, 3)).toEqual([201, 429, 429]);
  expect(await send(claimed.id, "/api/tasks", task, 4)).toEqual([201, 201, 201, 201]);
  await db.query("DELETE FROM api_keys WHERE organization_id = $1", [left.id]);
  // It is looked up again with its next delivery that comes ten seconds later.
  await pause(11_000);
  lookUps.forget();
  expect(await send(left.id, "/api/tasks", task)).toEqual([201]);
  await lookUps.untilSeen([left.id]);
  expect(await send(left.id, "/api/tasks", task)).toEqual([429]);
});

test("A network's messages to ourselves use up that network's storage and tries, and what they carry for it is not recorded", async ({
  startOwn,
}) => {
  const { api, send } = await startOwn({
    RATE_LIMIT_ANONYMOUS_CREATES: "100000",
    PUBLIC_BYTES_PER_NETWORK: "300000",
  });
  const make = async (kind: string): Promise<string> =>
    (await api("POST", `/api/${kind}`, { body: { name: "x" } })).body.id;
  const [endpoint, inbox] = [await make("webhooks"), await make("inboxes")];
  const text = "x".repeat(60_000);
  for (const [index, [path, events, status]] of (
    [
      [`/api/catch/${endpoint}`, `/api/webhooks/${endpoint}/events`, 200],
      [`/api/inboxes/${inbox}/events`, `/api/inboxes/${inbox}/events`, 201],
    ] as const
  ).entries()) {
    const fill = () => send(`198.51.100.${index}`, path, text);
    await expect.poll(fill, { intervals: [20] }).toEqual([429]);
    // None of it counted for our own address.
    expectStatus(await api("POST", path, { raw: text }), status);
    expect(await send(`192.0.2.${index}`, path, "x")).toEqual([status]);
    const list = JSON.parse((await api("GET", `${events}?limit=1`)).text);
    const event = JSON.parse((await api("GET", `${events}/${list.data[0].id}`)).text);
    expect(event.headers).toHaveProperty("webhook-id");
    expect(event.headers).not.toHaveProperty("webhook-sent-for");
    expect(event.source_ip).toBe("127.0.0.1");
  }

  const { id } = await ask(api, undefined);
  const [path, network] = [`/api/questions/${id}/answer`, "198.51.100.2"];
  const body = { answer: "approve", answer_token: `ans_${"0".repeat(32)}` };
  const headers = { "x-forwarded-for": network };
  await Promise.all(Array.from({ length: 31 }, () => api("POST", path, { body, headers })));
  expect(await send(network, path, body)).toEqual([429]);
  expect(await send("192.0.2.2", path, body)).toEqual([403]);
  // The limits of sign-ins are for the client's address.
  const client = { redirect_uris: ["https://client.example/callback"] };
  expect(await send("192.0.2.2", "/oauth/register", client)).toEqual([400]);
});

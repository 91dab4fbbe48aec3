import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Pool } from "pg";
import { CHECKED_MS } from "@/lib/identity/credential";
import { insertTasks, makeOrganization } from "../support/accounts";
import { actionNamed, callAction, formBody, resultOf } from "../support/actions";
import { expectError } from "../support/expectations";
import { expect, PUBLIC } from "../support/fault-fixtures";
import { fieldsOf, post } from "../support/forms";
import { randomText } from "../support/keys";
import { lockWaits, whileHeld, whileLocked } from "../support/locks";
import { withOneServer } from "../support/one-server";
import { makePerson, openSession } from "../support/people";
import { head, openRaw } from "../support/raw-sockets";
import { cpuMilliseconds, pause, type RunningServer } from "../support/servers";

/** A flood of forms from one session does not affect others. */

const POSTS = 30;
/** As many that run at once as in a flood, for a shorter time. */
const SMALLER_FLOOD = 10;
const HEALTH_MS_MAX = 500;

const it = withOneServer(PUBLIC);
const origin = "https://svc.example";
const behindTls = withOneServer({ ...PUBLIC, BASE_URL: origin });
const locally = withOneServer({ MAIL_TRANSPORT: "file", MAIL_FILE: "/dev/null" });

/** The page, a field that identifies its form, and the input. */
const FORMS: Array<[path: string, field: string, typed: () => Record<string, string>]> = [
  ["/tasks?new=1", "name", () => ({ name: "Task" })],
  ["/artifacts?new=1", "content", () => ({ name: "Text", format: "markdown", content: "# x" })],
  ["/keys?new=1", "scopes", () => ({ name: "Key", scopes: "api.read", days: "" })],
  ["/settings", "email", () => ({ email: `${randomText(10)}@example.com` })],
  ["/sign-in", "email", () => ({ email: `${randomText(10)}@example.com` })],
  ["/sign-in", "key", () => ({ key: "svc_live_wrong" })],
];

locally(
  `A flood of forms, or ${POSTS} parallel posts of the slowest, leaves the health check under half a second`,
  async ({ server, db }) => {
    const token = await signIn(db);
    for (const [path, field, typed] of FORMS) {
      const session = path === "/sign-in" ? undefined : token;
      const { fields, cookie } = await fieldsOf(server.baseUrl, path, session, field);
      expect(Object.keys(fields), `${path} has no form with ${field}`).not.toHaveLength(0);
      const healthWas = watchHealth(server);
      const began = performance.now();
      const responses = await Promise.all(
        Array.from({ length: path.startsWith("/keys") ? POSTS : SMALLER_FLOOD }, () => {
          const form = { ...fields, form: randomUUID(), ...typed() };
          return post(server.baseUrl, path, form, { cookie, origin: server.baseUrl });
        }),
      );
      const took = performance.now() - began;
      const health = await healthWas();
      console.log(`${path} ${field}: ${Math.round(took)} ms, health ${health} ms`);
      for (const { status } of responses) expect([200, 303, 429, 503]).toContain(status);
      expect(health, path).toBeLessThan(HEALTH_MS_MAX);
    }
    const unrecorded = await keysWithoutRecord(db);
    expect(unrecorded).toEqual({ keys: expect.any(Number), unrecorded: 0 });
    expect(unrecorded.keys).toBeGreaterThan(5);
  },
);

behindTls(
  "Forms that lead to another page bring it along, and do not wait for each other's turns",
  async ({ server: { baseUrl } }) => {
    // Next sends it on to the page that has the action, and asks for the page after it.
    const action = { ...actionNamed("otherAddress"), page: "/claim" };
    const send = async () => {
      const response = await callAction(baseUrl, action, "[null]", { headers: { origin } });
      expect(response.headers.get("x-action-redirect")).toContain("/sign-in");
      expect(await response.text()).toContain("Sign in");
    };
    await send(); // loads the pages
    const began = performance.now();
    await Promise.all(Array.from({ length: 8 }, send));
    // A turn would end by itself after 30 seconds.
    expect(performance.now() - began).toBeLessThan(20_000);
  },
);

locally("Slowly sent forms do not delay those of others", async ({ server }) => {
  const { fields, cookie } = await fieldsOf(server.baseUrl, "/sign-in", undefined, "key");
  const unfinished = `${head("POST", "/sign-in", "Content-Type: multipart/form-data; boundary=x", "Content-Length: 1000")}--x\r\n`;
  const sockets = ["127.0.0.2", "127.0.0.3"].flatMap((address) =>
    Array.from({ length: 40 }, () => openRaw(server.baseUrl, unfinished, { address })),
  );
  await Promise.all(sockets.map(({ socket }) => once(socket, "ready")));
  await fieldsOf(server.baseUrl, "/sign-in", undefined, "key"); // by its end the unfinished forms have arrived
  const form = { ...fields, key: "svc_live_wrong" };
  const response = await post(server.baseUrl, "/sign-in", form, { cookie, origin: server.baseUrl });
  expect(response.status).toBe(200);
  // Unfinished forms are cut off in the end; the response must not have waited for that.
  expect(sockets.filter(({ isClosed }) => isClosed()).length).toBeLessThan(40);
  for (const { socket } of sockets) socket.destroy();
});

it("What a network sends to pages counts as its memory, whatever the method, and the rest gets 429", async ({
  server: { api, baseUrl },
}) => {
  const body = Buffer.alloc(9_000_000, "x");
  const unfinished = `Content-Length: ${body.length + 1}`;
  const senders = ["PUT", "PATCH", "DELETE", "OPTIONS", "PUT"].map((method) =>
    openRaw(baseUrl, Buffer.concat([Buffer.from(head(method, "/nothing", unfinished)), body])),
  );
  const refused = () => senders.find((one) => one.received().startsWith("HTTP/1.1 429 "));
  await expect
    .poll(() => refused()?.received() ?? "")
    .toMatch(/"rate_limited".*Too many large requests/);
  for (const { socket } of senders) socket.destroy();
  for (const method of ["PUT", "PATCH", "DELETE"]) {
    expectError(await api(method, "/nothing", { raw: "x" }), 404, "route_not_found");
  }
});

locally("A key is not created when its audit event cannot be written", async ({ server, db }) => {
  const token = await signIn(db);
  const { fields, cookie } = await fieldsOf(server.baseUrl, "/keys?new=1", token, "scopes");
  const form = { ...fields, name: "Unrecorded", scopes: "api.read", days: "" };
  await db.query(
    "ALTER TABLE audit_events ADD CONSTRAINT fails CHECK (action <> 'key.created') NOT VALID",
  );
  try {
    await post(server.baseUrl, "/keys?new=1", form, { cookie, origin: server.baseUrl });
  } finally {
    await db.query("ALTER TABLE audit_events DROP CONSTRAINT fails");
  }
  const made = await db.query("SELECT id FROM api_keys WHERE name = 'Unrecorded'");
  expect(made.rows).toEqual([]);
});

locally(
  "A form makes no new inbox to forward to when its response cannot be recorded",
  async ({ server: { api, baseUrl }, db, organization, key }) => {
    const token = await openSession(db, (await makePerson(db, organization.id)).id);
    const { body: endpoint } = await api("POST", "/api/webhooks", { key, body: { name: "Hook" } });
    const path = `/webhooks/${endpoint.id}`;
    const { fields, cookie } = await fieldsOf(baseUrl, path, token, "methods");
    await db.query(
      "ALTER TABLE idempotency_records ADD CONSTRAINT fails CHECK (answer = '') NOT VALID",
    );
    const form = { ...fields, inbox_id: "new", name: "Once" };
    try {
      await post(baseUrl, path, form, { cookie, origin: baseUrl });
    } finally {
      await db.query("ALTER TABLE idempotency_records DROP CONSTRAINT fails");
    }
    expectError(await api("GET", `/api${path}/forward`, { key }), 404, "resource_not_found");
    expect((await api("GET", "/api/inboxes", { key })).body.data).toEqual([]);
  },
);

locally(
  "A bulk change that fails halfway reports what it changed, and its undo reports what is left",
  async ({ server: { baseUrl }, db, organization }) => {
    const person = await makePerson(db, organization.id);
    const cookie = `session=${await openSession(db, person.id)}`;
    const ids = await insertTasks(db, organization.id, 11);
    const call = async (name: string, argument: unknown) => {
      const action = actionNamed(name);
      const sent = { cookie, segment: ids[0] };
      return Object(
        await resultOf(await callAction(baseUrl, action, JSON.stringify([argument]), sent)),
      );
    };
    /** The same while this task cannot get this priority. */
    const failingFor = async (id: unknown, priority: string, name: string, argument: unknown) => {
      await db.query(
        `ALTER TABLE tasks ADD CONSTRAINT fails
         CHECK (id <> '${id}' OR priority <> '${priority}') NOT VALID`,
      );
      try {
        return await call(name, argument);
      } finally {
        await db.query("ALTER TABLE tasks DROP CONSTRAINT fails");
      }
    };
    // Ten run together, and then the last one.
    const change = { ids, priority: "high" };
    const changed = await failingFor(ids[10], "high", "applyToTasks", change);
    expect(changed).toMatchObject({ failed: 1, stopped: "Something went wrong on our side." });
    expect(changed.undo.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 10));
    const undone = await failingFor(ids[0], "low", "undoChanges", changed.undo);
    expect(undone).toMatchObject({ undo: [{ id: ids[0] }], failed: 0 });
    const high = "SELECT id FROM tasks WHERE organization_id = $1 AND priority = 'high'";
    expect((await db.query(high, [organization.id])).rows).toEqual([{ id: ids[0] }]);
    expect(await call("undoChanges", undone.undo)).toMatchObject({ undo: [], failed: 0 });
    expect((await db.query(high, [organization.id])).rows).toEqual([]);
  },
);

locally(
  "A bulk change ends with the session",
  async ({ server: { baseUrl }, db, organization }) => {
    const person = await makePerson(db, organization.id);
    const cookie = `session=${await openSession(db, person.id)}`;
    const ids = await insertTasks(db, organization.id, 11);
    const action = actionNamed("deleteTasks");
    await whileHeld(db, `SELECT FROM tasks WHERE id = '${ids[0]}' FOR UPDATE`, async (end) => {
      const body = formBody({ ids: ids.join(" ") });
      const removing = callAction(baseUrl, action, body, { cookie, segment: ids[10] });
      await expect.poll(() => lockWaits(db), { intervals: [20] }).toBeGreaterThan(0);
      await db.query("DELETE FROM sessions WHERE user_id = $1", [person.id]);
      await pause(CHECKED_MS + 100);
      await end();
      expect(Object(await resultOf(await removing)).message).toContain("You are signed out.");
    });
    // Ten run together, and then the last one.
    const { rows } = await db.query("SELECT id FROM tasks WHERE id = ANY ($1)", [ids]);
    expect(rows).toEqual([{ id: ids[10] }]);
  },
);

locally(
  "A bulk claim ends with the membership",
  async ({ server: { api, baseUrl }, db, organization }) => {
    const person = await makePerson(db, organization.id);
    const cookie = `session=${await openSession(db, person.id)}`;
    const make = async () => (await api("POST", "/api/tasks", { body: { name: "Public" } })).body;
    const tasks = [await make(), await make()] as const;
    const [first, second] = tasks;
    const pasted = tasks.map(({ id, claim_token }) => `${id} ${claim_token}`).join(" ");
    const body = formBody({ pasted, organization: organization.id });
    const [response] = await whileLocked(
      db,
      { table: "tasks", id: first.id },
      () => callAction(baseUrl, actionNamed("claimBatch"), body, { cookie }),
      async () => {
        await db.query("DELETE FROM members WHERE user_id = $1", [person.id]);
        await pause(CHECKED_MS + 100);
      },
    );
    expect(Object(await resultOf(response)).outcomes).toEqual([
      { id: first.id, claimed: true, words: "Claimed" },
      { id: second.id, claimed: false, words: expect.stringContaining("You are signed out.") },
    ]);
    expect((await api("GET", `/api/tasks/${second.id}`)).body.organization_id).toBeNull();
  },
);

it("Pages that one network asks for do not keep another's waiting, nor does a client that reads none", async ({
  server,
}) => {
  const open = (address: string) => {
    const headers = { accept: "text/html", "x-forwarded-for": address };
    return server.api("GET", "/sign-in", { headers });
  };
  await open("198.51.100.1"); // loads Next
  for (const address of ["198.51.100.7", "198.51.100.8"]) {
    const request = head("GET", "/sign-in", "Accept: text/html", `X-Forwarded-For: ${address}`);
    const unread = Array.from({ length: 3 }, () => openRaw(server.baseUrl, request.repeat(30)));
    for (const { socket } of unread) socket.pause();
  }
  let served = 0;
  const flood = Array.from({ length: 20 }, async () => {
    const { status } = await open("198.51.100.1");
    served += 1;
    return status;
  });
  expect((await open("198.51.100.2")).status).toBe(200);
  expect(served).toBeLessThan(10);
  expect(new Set(await Promise.all(flood))).toEqual(new Set([200]));
});

it("In public mode a session may send 120 forms a minute, and no more", async ({
  server: { baseUrl },
  db,
}) => {
  const [one, other] = [await signIn(db), await signIn(db)];
  const { fields } = await fieldsOf(baseUrl, "/webhooks?new=1", one, "name");
  const send = (token: string) => {
    const headers = { cookie: `session=${token}`, origin: PUBLIC.BASE_URL };
    const form = { ...fields, form: randomUUID(), name: "Endpoint" };
    return post(baseUrl, "/webhooks?new=1", form, headers);
  };
  const isRefused = async (token: string) => (await send(token)).body.includes("Too many requests");
  expect(await isRefused(one)).toBe(false);
  await db.query("UPDATE usage_windows SET uses = uses + 110 WHERE id LIKE 'form:%'");
  let sent = 111;
  // Where these fall into two windows, more than 120 are needed.
  while (!(await isRefused(one)) && sent < 240) sent += 1;
  expect(sent).toBeGreaterThanOrEqual(120);
  expect(sent).toBeLessThan(240);
  expect(await isRefused(other)).toBe(false);
});

it("A guess at a terminal's code that cannot be counted is refused", async ({
  server: { api },
  db,
}) => {
  const headers = { cookie: `session=${await signIn(db)}` };
  const guess = async () =>
    (await api("GET", "/oauth/device", { query: { user_code: "BCDF-GHJK" }, headers })).text;
  const compared = "No terminal is waiting for this code";
  expect(await guess()).toContain(compared);
  await db.query("ALTER TABLE usage_windows RENAME TO missing");
  try {
    expect(await guess()).not.toContain(compared);
  } finally {
    await db.query("ALTER TABLE missing RENAME TO usage_windows");
  }
  expect(await guess()).toContain(compared);
});

async function signIn(db: Pool): Promise<string> {
  const { id } = await makeOrganization(db);
  return openSession(db, (await makePerson(db, id)).id);
}

async function keysWithoutRecord(db: Pool) {
  const { rows } = await db.query<{ keys: number; unrecorded: number }>(`
    SELECT count(*)::int AS keys,
           count(*) FILTER (WHERE NOT EXISTS (
             SELECT FROM audit_events WHERE action = 'key.created' AND data->>'key' = api_keys.id
           ))::int AS unrecorded
    FROM api_keys WHERE name = 'Key'`);
  return rows[0] ?? { keys: 0, unrecorded: 0 };
}

/**
 * Polls the server's health until stopped. Stopping returns the 90th percentile of the event loop's CPU
 * time per response, in ms.
 */
function watchHealth(server: RunningServer): () => Promise<number> {
  let isOver = false;
  const computed = () => cpuMilliseconds(server.pid, { eventLoop: true });
  const took: number[] = [];
  const watching = (async () => {
    while (!isOver) {
      const before = computed();
      const { status } = await server.api("GET", "/api/health");
      took.push(computed() - before);
      expect(status).toBe(200);
      await pause(20);
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    took.sort((one, other) => one - other);
    return took[Math.ceil(took.length * 0.9) - 1] ?? 0;
  };
}

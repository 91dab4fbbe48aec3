import { once } from "node:events";
import type { Row } from "@/lib/platform/db/columns";
import { makeKey, makeOrganization } from "../support/accounts";
import { burst, expect, test } from "../support/batch-fixtures";
import { expectError, expectStatus, missing } from "../support/expectations";
import { randomText } from "../support/keys";
import { whileHeld } from "../support/locks";
import { head, openRaw } from "../support/raw-sockets";

/** Requests that arrive together share statements; each must be answered as if it had come alone. */

test.describe.configure({ mode: "default" });

const KINDS: Record<string, Record<string, unknown>> = {
  tasks: { name: "x" },
  artifacts: { name: "x", content: "x" },
  webhooks: { name: "x" },
  inboxes: { name: "x" },
  messages: { url: "https://example.com/x", delay_seconds: 86_400 },
};
const collections = Object.keys(KINDS);

/** What a resource is called: only messages have no name. */
function called(collection: string, text: string) {
  return collection === "messages" ? { url: `https://example.com/${text}` } : { name: text };
}

test("Requests that arrive together share statements", async ({ lone }) => {
  const { api, baseUrl, db, sent } = lone;
  const { key } = await makeOrganization(db);
  const { body: task } = await api("POST", "/api/tasks", { key, body: { name: "Read" } });
  const headers = [`Authorization: Bearer ${key}`, "Content-Type: application/json"];
  const create = (name: number) => {
    const body = JSON.stringify({ name: `${name}` });
    return head("POST", "/api/tasks", ...headers, `Content-Length: ${body.length}`) + body;
  };
  for (const requestOf of [() => head("GET", `/api/tasks/${task.id}`, ...headers), create]) {
    const before = sent.length;
    // Over connections that are open already, and while no key can be read, so that all have arrived
    // before the first is served, however fast or busy the machine is.
    const sockets = Array.from({ length: 50 }, () => openRaw(baseUrl));
    await Promise.all(sockets.map(({ socket }) => once(socket, "connect")));
    await whileHeld(db, "LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE", async () => {
      for (const [n, { socket }] of sockets.entries()) socket.write(requestOf(n));
      await api("GET", "/livez");
    });
    const isDone = ({ received }: (typeof sockets)[number]) =>
      /HTTP\/1\.1 20[01] /.test(received());
    await expect.poll(() => sockets.filter(isDone).length).toBe(50);
    for (const { socket } of sockets) socket.destroy();
    // Alone, each would need two. Connections that it opens now have statements of their own.
    const shared = sent.slice(before).filter((text) => /\b(?:api_keys|tasks)\b/.test(text));
    expect(shared.length).toBeLessThan(50);
  }
});

test("In one burst each caller reads, creates and changes only its own rows", async ({ lone }) => {
  const { api, db } = lone;
  const organizations = [await makeOrganization(db), await makeOrganization(db)];
  const callers = [
    ...organizations.map(({ id, key }) => ({ id, key })),
    { id: null, key: undefined },
  ];

  const wanted = callers.flatMap((owner) =>
    collections.flatMap((collection) =>
      [1, 2].map((number) => ({ owner, collection, text: `${owner.id}-${number}` })),
    ),
  );
  const created = await burst(wanted, ({ owner, collection, text }, index) =>
    api("POST", `/api/${collection}`, {
      key: owner.key,
      headers: index % 2 ? { "idempotency-key": randomText(20) } : {},
      body: { ...KINDS[collection], ...called(collection, text) },
    }),
  );
  const resources = created.map((response, index) => {
    const { owner, collection, text } = wanted[index] ?? missing();
    expectStatus(response, 201);
    expect(response.body).toMatchObject({ organization_id: owner.id, ...called(collection, text) });
    expect(response.body.claim_token === undefined).toBe(owner.id !== null);
    return {
      owner,
      collection,
      text,
      path: `/api/${collection}/${response.body.id}`,
      body: response.body,
    };
  });

  const seen = resources.flatMap((resource) => callers.map((caller) => ({ resource, caller })));
  const read = await burst(seen, ({ resource, caller }) =>
    api("GET", resource.path, { key: caller.key }),
  );
  for (const [index, response] of read.entries()) {
    const { resource, caller } = seen[index] ?? missing();
    if (resource.owner.id !== null && resource.owner !== caller) {
      expectError(response, 403, "forbidden");
      continue;
    }
    expectStatus(response, 200);
    expect(`/api/${resource.collection}/${response.body.id}`).toBe(resource.path);
    expect(response.body).toMatchObject({
      organization_id: resource.owner.id,
      ...called(resource.collection, resource.text),
    });
  }

  const changed = await burst(seen, ({ resource, caller }) =>
    api("PATCH", resource.path, {
      key: caller.key,
      body: called(resource.collection, `by-${caller.id}`),
    }),
  );
  for (const [index, response] of changed.entries()) {
    const { resource, caller } = seen[index] ?? missing();
    if (resource.owner.id !== null && resource.owner !== caller) {
      expectError(response, 403, "forbidden");
      continue;
    }
    expectStatus(response, 200);
    expect(`/api/${resource.collection}/${response.body.id}`).toBe(resource.path);
    const expected = called(resource.collection, `by-${caller.id}`);
    expect(response.body).toMatchObject(expected);
    if (resource.owner.id === null) continue; // anyone may have changed it since
    const now = await api("GET", resource.path, { key: caller.key });
    expect(now.body).toMatchObject(expected);
  }

  const open = resources.filter(({ owner }) => owner.id === null);
  const [claimer] = organizations;
  const claims = await burst(open, ({ body: { id, claim_token } }) =>
    api("POST", `/api/claim/${id}`, { key: claimer?.key, body: { claim_token } }),
  );
  for (const response of claims) expectStatus(response, 200);
});

test("In one burst revoked, expired and unknown keys are refused and live ones are not", async ({
  lone,
}) => {
  const { api, db } = lone;
  const { id, key } = await makeOrganization(db);
  const { body: task } = await api("POST", "/api/tasks", { key, body: { name: "Guarded" } });
  const revokedNow = await makeKey(db, id);
  expectStatus(await api("GET", `/api/tasks/${task.id}`, { key: revokedNow }), 200);
  await db.query("UPDATE api_keys SET revoked_at = unix_now() WHERE last_four = $1", [
    revokedNow.slice(-4),
  ]);
  const dead = [
    revokedNow,
    await makeKey(db, id, { revoked: true }),
    await makeKey(db, id, { expiresIn: -1 }),
    "svc_live_unknown",
  ];
  const live = await Promise.all([1, 2, 3, 4].map(() => makeKey(db, id)));
  const callers = Array.from({ length: 48 }, (_, index) => [...dead, ...live][index % 8]);
  for (const method of ["GET", "PATCH", "POST"]) {
    const responses = await burst(callers, (caller) =>
      api(method, method === "POST" ? "/api/tasks" : `/api/tasks/${task.id}`, {
        key: caller,
        ...(method !== "GET" && { body: { name: "Guarded" } }),
      }),
    );
    for (const [index, response] of responses.entries()) {
      if (dead.includes(callers[index] ?? "")) expectError(response, 401, "invalid_api_key");
      else expectStatus(response, method === "POST" ? 201 : 200);
    }
  }
});

test("A row that the database refuses fails alone, and its neighbours are stored once", async ({
  lone,
}) => {
  const { api, rawApi, db } = lone;
  const { id, key } = await makeOrganization(db);
  await db.query("ALTER TABLE tasks ADD CONSTRAINT poison CHECK (name <> 'poison')");
  try {
    const names = Array.from({ length: 50 }, (_, number) =>
      number === 20 ? "poison" : `${number}`,
    );
    const created = await burst(names, (name, index) =>
      rawApi("POST", "/api/tasks", {
        key,
        headers: index % 2 ? { "idempotency-key": randomText(20) } : {},
        body: { name },
      }),
    );
    const stored = created.filter(({ status }) => status === 201);
    expect(created.map(({ status }) => status)).toEqual(
      names.map((name) => (name === "poison" ? 500 : 201)),
    );
    const { rows } = await db.query<Row<"Task", "name">>(
      "SELECT name FROM tasks WHERE organization_id = $1 ORDER BY name::int",
      [id],
    );
    expect(rows.map(({ name }) => name)).toEqual(names.filter((name) => name !== "poison"));

    const changed = await burst(stored, ({ body }, index) =>
      rawApi("PATCH", `/api/tasks/${body.id}`, {
        key,
        body: { name: index === 30 ? "poison" : `${body.name} changed` },
      }),
    );
    expect(changed.map(({ status }) => status)).toEqual(
      stored.map((_, index) => (index === 30 ? 500 : 200)),
    );
    const reads = await burst(stored, ({ body }) => api("GET", `/api/tasks/${body.id}`, { key }));
    expect(reads.map(({ body }) => body.name)).toEqual(
      stored.map(({ body }, index) => (index === 30 ? body.name : `${body.name} changed`)),
    );
  } finally {
    await db.query("ALTER TABLE tasks DROP CONSTRAINT poison");
  }
});

test("A body that validation refuses names its own field", async ({ lone }) => {
  const { api, db } = lone;
  const { key } = await makeOrganization(db);
  const wrong: Record<number, { body: object; param: string }> = {
    7: { body: { name: "x", priority: "urgent" }, param: "priority" },
    19: { body: { name: "a\u0000b" }, param: "name" },
    31: { body: { name: "x", labels: ["ok", "a\u0000b"] }, param: "labels.1" },
    43: { body: { name: "x", due_at: 2 ** 60 }, param: "due_at" },
  };
  const fifty = Array.from({ length: 50 }, (_, number) => number);
  const { body: task } = await api("POST", "/api/tasks", { key, body: { name: "x" } });
  for (const [method, path] of [
    ["POST", "/api/tasks"],
    ["PATCH", `/api/tasks/${task.id}`],
  ] as const) {
    const responses = await burst(fifty, (number) =>
      api(method, path, { key, body: wrong[number]?.body ?? { name: `${number}` } }),
    );
    for (const [number, response] of responses.entries()) {
      const refused = wrong[number];
      if (!refused) expect(response.body.name).toBe(`${number}`);
      else expect([response.status, response.body.error.param]).toEqual([400, refused.param]);
    }
  }
});

test("A client that disconnects does not disturb the other requests of its batch", async ({
  lone,
}) => {
  const { api, db, baseUrl } = lone;
  const { key } = await makeOrganization(db);
  const { body: task } = await api("POST", "/api/tasks", { key, body: { name: "Read" } });
  const body = '{"name":"Gone"}';
  const gone = Array.from({ length: 20 }, (_, index) => {
    const request = index % 2 ? "POST" : "GET";
    const path = index % 2 ? "/api/tasks" : `/api/tasks/${task.id}`;
    const lines = [`Authorization: Bearer ${key}`, "Content-Type: application/json"];
    const bytes =
      head(request, path, ...lines, `Content-Length: ${index % 2 ? body.length : 0}`) +
      (index % 2 ? body : "");
    const raw = openRaw(baseUrl, bytes);
    raw.socket.on("connect", () => setImmediate(() => raw.socket.destroy()));
    return raw.closed;
  });
  const responses = await burst(Array.from({ length: 40 }), (_, index) =>
    index % 2
      ? api("POST", "/api/tasks", { key, body: { name: `${index}` } })
      : api("GET", `/api/tasks/${task.id}`, { key }),
  );
  for (const [index, response] of responses.entries()) {
    expectStatus(response, index % 2 ? 201 : 200);
    expect(response.body.name).toBe(index % 2 ? `${index}` : "Read");
  }
  await Promise.all(gone);
});

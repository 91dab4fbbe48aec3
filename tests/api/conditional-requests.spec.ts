import * as z from "zod";
import { operations } from "@/lib/api/registry";
import { claimFields } from "@/lib/platform/http/fields";
import { type KindName, kinds } from "@/lib/resources/kinds";
import { makeKey } from "../support/accounts";
import { startReplay } from "../support/bulk-replays";
import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { Api, ApiResponse } from "../support/http";
import { makeInbox } from "../support/inboxes";
import { whileLocked } from "../support/locks";
import { makeEndpoint } from "../support/webhooks";

/** ETag, If-None-Match and If-Match, as in RFC 9110. */

test("A single read has a strong ETag and is 304 while nothing changes, a list has none, and DELETE honours If-Match", async ({
  api,
  key,
}) => {
  const { path: task } = await makeTask(api, key);
  const subscription = `/api/subscriptions/${await makeSubscription(api, key)}`;
  const { id } = await makeEndpoint(api, { key });
  const { id: replayId } = await startReplay(api, id, { url: "https://example.com" }, key);
  const forward = `/api/webhooks/${id}/forward`;
  const verification = `/api/webhooks/${id}/verification`;
  await api("PUT", forward, { key, body: { url: "https://example.com" } });
  await api("PUT", verification, { key, body: { scheme: "github", secret: "x".repeat(16) } });
  const replay = `/api/webhooks/${id}/replays/${replayId}`;
  for (const path of [task, subscription, replay, forward, verification]) {
    const etag = (await api("GET", path, { key })).headers.need("etag");
    expect(etag, path).toMatch(/^"[\x21\x23-\x7e]+"$/);
    expectStatus(await api("GET", path, { key, headers: { "if-none-match": etag } }), 304);
  }
  for (const path of [forward, verification]) {
    const etag = (await api("GET", path, { key })).headers.need("etag");
    const other = { key, headers: { "if-match": '"other"' } };
    expectError(await api("DELETE", path, other), 412, "precondition_failed");
    expectStatus(await api("DELETE", path, { key, headers: { "if-match": etag } }), 204);
  }
  for (const path of [task, subscription, replay]) {
    const list = await api("GET", path.slice(0, path.lastIndexOf("/")), { key });
    expectStatus(list, 200);
    expect(list.headers.get("etag")).toBeNull();
  }
});

test("The ETag changes with every change of the task, even within one second", async ({
  api,
  organization,
}) => {
  const { path, key } = await makeTask(api, organization.key);
  const etag = async () => (await api("GET", path, { key })).headers.get("etag");
  const first = await etag();
  expect(await etag()).toBe(first);
  await api("PATCH", path, { key, body: {} });
  expect(await etag()).toBe(first);
  const seen = [first];
  for (const name of ["a", "b", "c", "d"]) {
    expectStatus(await api("PATCH", path, { key, body: { name } }), 200);
    seen.push(await etag());
  }
  expect(new Set(seen).size).toBe(5);
});

test("The ETag of an endpoint's forward or verification does not come back when it is set again, even within one second", async ({
  api,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const settings = {
    forward: (n: number) => ({ url: "https://example.com", headers: { "x-key": `${n}` } }),
    verification: (n: number) => ({ scheme: "github", secret: `${n}`.repeat(16) }),
  };
  for (const [setting, bodyOf] of Object.entries(settings)) {
    const path = `/api/webhooks/${id}/${setting}`;
    const seen: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      expectStatus(await api("PUT", path, { key, body: bodyOf(n) }), 200);
      seen.push((await api("GET", path, { key })).headers.need("etag"));
      if (n % 2 === 1) expectStatus(await api("DELETE", path, { key }), 204);
    }
    expect(new Set(seen).size, setting).toBe(seen.length);
    expectStatus(await api("PUT", path, { key, body: bodyOf(6) }), 200);
    const stale = { key, headers: { "if-match": seen.join() } };
    expectError(await api("DELETE", path, stale), 412, "precondition_failed");
  }
});

test.describe("If-None-Match", () => {
  test("A match is 304 without a body for GET and HEAD", async ({ api, organization }) => {
    const { path, key, etag } = await makeTask(api, organization.key);
    const matching = [
      etag,
      `W/${etag}`,
      `"other", ${etag}`,
      `"other",W/${etag} , "third"`,
      "*",
      `"a,b", ${etag}`,
      bare(etag),
      ` ${bare(etag)} `,
      `W/${bare(etag)}`,
      `other, ${bare(etag)}`,
      `"other",${bare(etag)},W/third`,
    ];
    for (const value of matching) {
      for (const method of ["GET", "HEAD"]) {
        const response = await api(method, path, { key, headers: { "if-none-match": value } });
        expect(response.status, `${method} ${value}`).toBe(304);
        expect(response.text).toBe("");
        expect(response.headers.get("etag")).toBe(etag);
        expect(response.headers.get("access-control-allow-origin")).toBe("*");
      }
    }
  });

  test("Any other value is 200 with the task", async ({ api, organization }) => {
    const { path, key, etag } = await makeTask(api, organization.key);
    for (const value of [
      '"other"',
      `"${bare(etag)}x"`,
      `${bare(etag)}x`,
      bare(etag).slice(1),
      `w/${bare(etag)}`,
      `"other ${bare(etag)}"`,
      'W/"other", "*"',
      "other, *",
      "**",
      ",",
      "",
    ]) {
      const response = await api("GET", path, { key, headers: { "if-none-match": value } });
      expect(response.status, value).toBe(200);
      expect(response.body.name).toBe("Original");
    }
  });

  test("It does not bypass access checks", async ({ api, key }) => {
    const { path, etag } = await makeTask(api, key);
    for (const value of [etag, "*"]) {
      const headers = { "if-none-match": value };
      expectError(await api("GET", path, { headers }), 403, "forbidden");
      const refused = await api("GET", path, { headers, key: "svc_live_wrong" });
      expectError(refused, 401, "invalid_api_key");
      expectError(await api("GET", "/api/tasks/tsk_0", { headers }), 404, "resource_not_found");
    }
  });
});

test.describe("If-Match", () => {
  test("A stale ETag is 412 for PATCH and DELETE, and changes nothing", async ({ api, key }) => {
    const { path, etag } = await makeTask(api, key);
    await api("PATCH", path, { key, body: { name: "Second" } });
    const headers = { "if-match": etag };
    for (const [method, body] of [["PATCH", { name: "Third" }], ["DELETE"]] as const) {
      const stale = await api(method, path, { key, headers, body });
      expectError(stale, 412, "precondition_failed");
    }
    expect((await api("GET", path, { key })).body.name).toBe("Second");
    const cached = { "if-none-match": etag };
    expect((await api("GET", path, { key, headers: cached })).body.name).toBe("Second");
  });

  test("DELETE of what has no ETag is 400 with any", async ({ api, db, organization }) => {
    const key = await makeKey(db, organization.id);
    const made = async (path: string, body: object) =>
      (await api("POST", `/api/${path}`, { key, body })).body;
    const [endpoint, inbox, artifact, task, blocker] = await Promise.all([
      made("webhooks", { name: "Hook" }),
      made("inboxes", { name: "Inbox" }),
      made("artifacts", { name: "Report", content: "x" }),
      made("tasks", { name: "Write" }),
      made("tasks", { name: "Think" }),
    ]);
    const share = await made(`artifacts/${artifact.id}/share`, {});
    const lease = await made(`tasks/${task.id}/lease`, { holder: "writer" });
    const paths: [path: string, body?: object][] = [
      [`webhooks/${endpoint.id}/events`],
      [`inboxes/${inbox.id}/events`],
      [`artifacts/${artifact.id}/shares/${share.id}`],
      [`artifacts/${artifact.id}/share`],
      [`tasks/${task.id}/lease`, { lease_id: Reflect.get(lease, "lease_id") }],
      [`tasks/${task.id}/blockers/${blocker.id}`],
      ["me/key"],
    ];
    for (const [path, body] of paths) {
      const remove = (header: string, value: string) =>
        api("DELETE", `/api/${path}`, { key, body, headers: { [header]: value } });
      expectError(await remove("If-Match", '"stale"'), 400, "invalid_param", "If-Match");
      expectError(await remove("If-None-Match", "*"), 400, "invalid_param", "If-None-Match");
      expectStatus(await remove("If-Match", "*"), 204);
    }
  });

  test("PUT of a forward and of a verification honours If-Match, and If-None-Match: *", async ({
    api,
    key,
  }) => {
    const { id } = await makeEndpoint(api, { key });
    const bodies = {
      forward: { url: "https://example.com" },
      verification: { scheme: "github", secret: "x".repeat(16) },
    };
    for (const [part, body] of Object.entries(bodies)) {
      const path = `/api/webhooks/${id}/${part}`;
      const put = (name: string, value: string) =>
        api("PUT", path, { key, body, headers: { [name]: value } });
      expectError(await put("if-match", "*"), 412, "precondition_failed");
      expectError(await api("GET", path, { key }), 404, "resource_not_found");
      expectStatus(await put("if-none-match", "*"), 200);
      const before = await api("GET", path, { key });
      expectError(await put("if-match", '"other"'), 412, "precondition_failed");
      expectError(await put("if-none-match", "*"), 412, "precondition_failed");
      expect((await api("GET", path, { key })).text).toBe(before.text);
      expectStatus(await put("if-match", before.headers.need("etag")), 200);
      expectStatus(await put("if-match", "*"), 200);
    }
  });

  test("The ETag of a forward and of a verification changes with a secret, even within one second", async ({
    api,
    key,
  }) => {
    const { id } = await makeEndpoint(api, { key });
    const bodies = {
      forward: (secret: string) => ({ url: "https://example.com", headers: { "x-key": secret } }),
      verification: (secret: string) => ({ scheme: "github", secret }),
    };
    for (const [part, body] of Object.entries(bodies)) {
      const path = `/api/webhooks/${id}/${part}`;
      const put = (secret: string, headers?: Record<string, string>) =>
        api("PUT", path, { key, body: body(secret), headers });
      const stale: string[] = [];
      for (const secret of ["first", "second", "third"]) {
        expectStatus(await put(secret), 200);
        const etag = (await api("GET", path, { key })).headers.need("etag");
        for (const tag of stale) {
          expectError(await put("lost", { "if-match": tag }), 412, "precondition_failed");
          expectStatus(await api("GET", path, { key, headers: { "if-none-match": tag } }), 200);
        }
        stale.push(etag);
      }
    }
  });

  test("PUT of a blocker takes no tag, and honours If-Match: * and If-None-Match: *", async ({
    api,
    key,
  }) => {
    const [task, blocker] = [await makeTask(api, key), await makeTask(api, key)];
    const list = `${task.path}/blockers`;
    const path = `${list}/${blocker.path.split("/").at(-1)}`;
    const put = (name: string, value: string) =>
      api("PUT", path, { key, headers: { [name]: value } });
    const count = async () => (await api("GET", list, { key })).body.data.length;
    expectError(await put("if-match", "*"), 412, "precondition_failed");
    expect(await count()).toBe(0);
    expectStatus(await put("if-none-match", "*"), 204);
    expectError(await put("if-none-match", "*"), 412, "precondition_failed");
    expectError(await put("if-match", '"tag"'), 400, "invalid_param", "If-Match");
    expectStatus(await put("if-match", "*"), 204);
    expect(await count()).toBe(1);
  });

  test("DELETE of a subscription honours If-Match, whether or not it is held back", async ({
    api,
    key,
  }) => {
    const inbox = await makeInbox(api, { max_events: 1 }, key);
    const id = await makeSubscription(api, key, { inbox_id: inbox.id, kinds: ["tasks"] });
    const path = `/api/subscriptions/${id}`;
    const read = () => api("GET", path, { key });
    const headers = { "if-match": (await read()).headers.need("etag") };
    const other = { "if-match": '"other"' };
    expectError(await api("DELETE", path, { key, headers: other }), 412, "precondition_failed");
    await makeTask(api, key);
    await makeTask(api, key);
    await expect
      .poll(async () => {
        await api("POST", "/api/messages/dispatch");
        return (await read()).text;
      })
      .toContain('"held_reason":"inbox_full"');
    const cached = { "if-none-match": headers["if-match"] };
    expectStatus(await api("GET", path, { key, headers: cached }), 200);
    expectStatus(await api("DELETE", path, { key, headers }), 204);
  });

  test("A list that includes the current ETag matches, and so does *", async ({
    api,
    organization,
  }) => {
    for (const value of [
      (etag: string) => `"other", ${etag}`,
      (etag: string) => `${etag},"other"`,
      bare,
      (etag: string) => ` ${bare(etag)} `,
      (etag: string) => `other, ${bare(etag)}`,
      (etag: string) => `W/"other",${etag}`,
      () => "*",
      () => " * ",
    ]) {
      const { path, key, etag } = await makeTask(api, organization.key);
      const headers = { "if-match": value(etag) };
      expectStatus(await api("PATCH", path, { key, headers, body: {} }), 200);
      expectStatus(await api("DELETE", path, { key, headers }), 204);
    }
  });

  test("Any other value is 412, even for an empty update", async ({ api, organization }) => {
    const { path, key, etag } = await makeTask(api, organization.key);
    const others = [
      '"other"',
      '"a", "b"',
      '"*"',
      "a, *",
      "other",
      `W/${etag}`,
      `W/${bare(etag)}`,
      `"${bare(etag)} "`,
      `${bare(etag)}x`,
      ",",
      "",
    ];
    for (const value of others) {
      const headers = { "if-match": value };
      expectError(await api("PATCH", path, { key, headers, body: {} }), 412, "precondition_failed");
      expectError(await api("DELETE", path, { key, headers }), 412, "precondition_failed");
    }
  });

  test("The tag that a proxy weakened is 412, with how to send it", async ({
    api,
    organization,
  }) => {
    const { path, key, etag } = await makeTask(api, organization.key);
    const change = (tag: string) =>
      api("PATCH", path, { key, headers: { "if-match": tag }, body: { name: "Second" } });
    const weak = `W/${etag}`;
    const { text } = await change(weak);
    expect(text).toContain("send it in If-Match without W/");
    expectStatus(await change(etag), 200);
    expect((await change(weak)).text).toContain("has changed");
  });

  test("Of an update and a delete at once with one ETag exactly one succeeds", async ({
    api,
    db,
    organization,
  }) => {
    const begin = async () => {
      const { path, key, etag } = await makeTask(api, organization.key);
      const headers = { "if-match": etag };
      return {
        row: { table: "tasks", id: path.slice("/api/tasks/".length) },
        update: () => api("PATCH", path, { key, headers, body: { name: "Changed" } }),
        remove: () => api("DELETE", path, { key, headers }),
      };
    };
    const first = await begin();
    const [updated, kept] = await whileLocked(db, first.row, first.update, first.remove);
    expectStatus(updated, 200);
    expectError(kept, 412, "precondition_failed");
    const second = await begin();
    const [removed, late] = await whileLocked(db, second.row, second.remove, second.update);
    expectStatus(removed, 204);
    expect([404, 412]).toContain(late.status);
  });
});

/** Changes of more than a name. */
const CHANGES: Partial<Record<KindName, object>> = {
  tasks: { name: "y", labels: ["a"] },
  artifacts: { content: "y" },
  messages: { body: "y" },
  inboxes: { max_events: 2 },
  questions: { prompt: "y" },
  webhooks: { max_events: 2 },
};
/** The options with which the response of a create has members that no read has. */
const MORE: Partial<Record<KindName, { query?: { share: string }; body?: object }>> = {
  artifacts: { query: { share: "true" } },
  messages: { body: { url: "https://example.com/", scheduled_at: 4_000_000_000 } },
};
const SENT_TO: Record<string, (id: string) => string> = {
  "/api/inboxes": (id) => `/api/inboxes/${id}/events`,
  "/api/webhooks": (id) => `/api/catch/${id}`,
};
for (const { name, table, first } of kinds) {
  const collection = `/api/${name}`;
  const create = first.body;
  const change = CHANGES[name] ?? { name: "y" };
  test(`A create of ${collection} returns the ETag for the first change, with and without a key`, async ({
    api,
    key,
  }) => {
    for (const caller of [key, undefined]) {
      const created = await api("POST", collection, { key: caller, body: create });
      const path = `${collection}/${created.body.id}`;
      const tag = created.headers.need("etag");
      const sendTo = SENT_TO[collection]?.(created.body.id);
      if (sendTo !== undefined) await api("POST", sendTo, { raw: "x" });
      const headers = { "if-match": tag };
      expectStatus(await api("PATCH", path, { key: caller, body: change, headers }), 200);
      const late = await api("PATCH", path, { key: caller, body: change, headers });
      expectError(late, 412, "precondition_failed");
    }
  });

  test(`A create of ${collection} with all that its response may have returns the ETag for the first change, and so do its repeat and an upsert`, async ({
    api,
    key,
  }) => {
    const { query, body = create } = MORE[name] ?? {};
    const shapeOf = (method: string, path: string): object => {
      const found = operations.find((one) => one.method === method && one.path === path);
      const schema = found?.success.schema;
      if (!(schema instanceof z.ZodObject)) throw new Error(`${method} ${path} has no schema.`);
      return schema.shape;
    };
    const read = shapeOf("GET", `${collection}/{id}`);
    const members = Object.keys(shapeOf("POST", collection)).filter((one) => !(one in read));
    const onCreates = members.filter((one) => !(one in claimFields));
    for (const caller of [key, undefined]) {
      const headers = { "idempotency-key": crypto.randomUUID() };
      const options = { key: caller, query, body, headers };
      const created = await api("POST", collection, options);
      const repeated = await api("POST", collection, options);
      expect(created.body).toMatchObject(
        Object.fromEntries(onCreates.map((one) => [one, expect.anything()])),
      );
      expect(repeated.headers.get("etag")).toBe(created.headers.need("etag"));
      await expectFirstChange(caller, created);
    }
    const path = `${collection}/external/${crypto.randomUUID()}`;
    await expectFirstChange(key, await api("PUT", path, { key, body }));

    async function expectFirstChange(caller: string | undefined, created: ApiResponse) {
      expectStatus(created, 201);
      const path = `${collection}/${created.body.id}`;
      const headers = { "if-match": created.headers.need("etag") };
      expectStatus(await api("PATCH", path, { key: caller, body: change, headers }), 200);
    }
  });

  test(`PATCH of ${collection} returns the ETag for the next read and change, and an empty one changes nothing`, async ({
    api,
    db,
    key,
  }) => {
    const created = await api("POST", collection, { key, body: create });
    expectStatus(created, 201);
    const path = `${collection}/${created.body.id}`;
    const sendTo = SENT_TO[collection]?.(created.body.id);
    for (let n = 0; sendTo !== undefined && n < 3; n += 1) await api("POST", sendTo, { raw: "x" });
    let etag = (await api("GET", path, { key })).headers.need("etag");
    for (const body of [change, {}, create]) {
      const patch = Object.fromEntries(
        Object.entries(body).filter(([name]) => !["delay_seconds", "kind"].includes(name)),
      );
      const patched = await api("PATCH", path, { key, headers: { "if-match": etag }, body: patch });
      expectStatus(patched, 200);
      expect(patched.body.event_count).toBeUndefined();
      const read = await api("GET", path, { key });
      etag = patched.headers.need("etag");
      expect(etag).toBe(read.headers.get("etag"));
      expect(etag).toMatch(/^"[\w.-]+"$/);
    }
    await db.query(`UPDATE ${table} SET updated_at = 2000 WHERE id = $1`, [created.body.id]);
    const same = await api("PATCH", path, { key, body: {} });
    expect(same.body.updated_at).toBe(2000);
  });
}

for (const [collection, sendTo] of Object.entries(SENT_TO)) {
  test(`A new event changes the ETag of ${collection} for readers, but does not fail If-Match`, async ({
    api,
    key,
  }) => {
    const created = await api("POST", collection, { key, body: { name: "x" } });
    const path = `${collection}/${created.body.id}`;
    const etag = (await api("GET", path, { key })).headers.need("etag");
    expectStatus(await api("GET", path, { key, headers: { "if-none-match": etag } }), 304);
    await api("POST", sendTo(created.body.id), { raw: "x" });
    const read = await api("GET", path, { key, headers: { "if-none-match": etag } });
    expectStatus(read, 200);
    expect(read.body.event_count).toBe(1);
    const headers = { "if-match": etag };
    const changed = await api("PATCH", path, { key, headers, body: { name: "y" } });
    expectStatus(changed, 200);
    for (const [method, body] of [["PATCH", { name: "z" }], ["DELETE"]] as const) {
      const stale = await api(method, path, { key, headers, body });
      expectError(stale, 412, "precondition_failed");
    }
    const weak = { "if-match": `W/${changed.headers.get("etag")}` };
    expectError(await api("DELETE", path, { key, headers: weak }), 412, "precondition_failed");
    const current = { "if-match": bare(changed.headers.need("etag")) };
    expectStatus(await api("DELETE", path, { key, headers: current }), 204);
  });
}

/** An ETag whose quotes a shell has removed. */
function bare(etag: string) {
  return etag.replaceAll('"', "");
}

const TARGET = { url: "https://example.com/hook", kinds: ["schedules"] };

async function makeSubscription(api: Api, key: string, body: object = TARGET): Promise<string> {
  const created = await api("POST", "/api/subscriptions", { key, body });
  expectStatus(created, 200);
  return created.body.id;
}

async function makeTask(api: Api, key: string) {
  const created = await api("POST", "/api/tasks", { key, body: { name: "Original" } });
  const path = `/api/tasks/${created.body.id}`;
  const read = await api("GET", path, { key });
  return { path, key, etag: read.headers.need("etag") };
}

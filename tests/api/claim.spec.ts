import { kinds } from "@/lib/resources/kinds";
import { makeCrowd } from "../support/accounts";
import { eachOf, expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { Api, Body } from "../support/http";
import { makeInbox } from "../support/inboxes";
import { sha256 } from "../support/keys";
import { whileUncommitted } from "../support/locks";
import { capture, makeEndpoint } from "../support/webhooks";

/** Claiming: one token, one winner, and the resource's children follow. */

const UNKNOWN = "tsk_0000000000000000000000000";

const every = kinds.map((kind) => [kind.name, kind] as const);

test("A create without a key returns links and a token, which is stored as its SHA-256, and no other call does", async ({
  api,
  baseUrl,
  db,
  key,
}) => {
  await eachOf(every, async ([name, { table, first }]) => {
    const path = `/api/${name}`;
    const open = await api("POST", path, { body: first.body });
    const { id, claim_token } = open.body;
    expect(open.headers.get("location")).toBe(`${path}/${id}`);
    expect(open.body).toMatchObject({
      organization_id: null,
      claim_token: expect.stringMatching(/^clm_[0-9A-Za-z]{24,}$/),
      claim_url: `/api/claim/${id}`,
      claim_link: `${baseUrl}/claim/${id}#claim_token=${claim_token}`,
      view_url: `${baseUrl}/${name}/${id}`,
    });
    expectStatus(await api("GET", `/${name}/${id}`), 200);
    const others = [
      await api("POST", path, { key, body: first.body }),
      await api("GET", `${path}/${id}`),
      await api("PATCH", `${path}/${id}`, { body: {} }),
    ];
    for (const { body } of others) {
      for (const field of ["claim_token", "claim_url", "claim_link", "view_url"]) {
        expect(body).not.toHaveProperty(field);
      }
    }
    const { rows } = await db.query<{ dump: string; claim_token_digest: string }>(
      `SELECT ${table}::text AS dump, claim_token_digest FROM ${table} WHERE id = $1`,
      [id],
    );
    expect(rows[0]?.claim_token_digest).toBe(sha256(claim_token));
    expect(rows[0]?.dump).not.toContain(claim_token.slice(4));
  });
});

test("A claim with the token gives the resource to the caller as it is, with a new ETag, and returns it", async ({
  api,
  organization,
  key,
  otherOrganization,
}) => {
  await eachOf(every, async ([name, { first, volatile }]) => {
    const shown = (body: Body) =>
      Object.fromEntries(Object.entries(body).filter(([field]) => !volatile.includes(field)));
    const { id, claim_token } = (await api("POST", `/api/${name}`, { body: first.body })).body;
    const path = `/api/${name}/${id}`;
    const before = await api("GET", path);
    const claimed = await api("POST", `/api/claim/${id}`, { key, body: { claim_token } });
    expectStatus(claimed, 200);
    const { updated_at } = claimed.body;
    const owned = { organization_id: organization.id, updated_at };
    expect(shown(claimed.body)).toEqual({ ...shown(before.body), ...owned });
    const after = await api("GET", path, { key });
    expect(shown(after.body)).toEqual(shown(claimed.body));
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
    expect((await api("GET", `/api/${name}`, { key })).body.data.map((one) => one.id)).toEqual([
      id,
    ]);
    for (const stranger of [undefined, otherOrganization.key]) {
      for (const method of ["GET", "PATCH", "DELETE"]) {
        const body = method === "PATCH" ? {} : undefined;
        expectError(await api(method, path, { key: stranger, body }), 403, "forbidden");
      }
    }
  });
});

test("A wrong token is 403 invalid_claim_token, and the right one still works", async ({
  api,
  key,
}) => {
  const { id, claim_token } = await makePublicTask(api);
  const other = await makePublicTask(api);
  const WRONG = [
    other.claim_token,
    claim_token.toLowerCase() === claim_token
      ? claim_token.toUpperCase()
      : claim_token.toLowerCase(),
    `${claim_token} `,
    ` ${claim_token}`,
    claim_token.slice(0, -1),
    claim_token.slice(4),
    "clm_",
    "x",
    "😀".repeat(1000),
  ];
  for (const wrong of WRONG) {
    const response = await api("POST", `/api/claim/${id}`, { key, body: { claim_token: wrong } });
    expectError(response, 403, "invalid_claim_token", "claim_token");
  }
  expect((await api("GET", `/api/tasks/${id}`)).body.organization_id).toBeNull();
  expectStatus(await api("POST", `/api/claim/${id}`, { key, body: { claim_token } }), 200);
});

test("An unknown ID is 404", async ({ api, key }) => {
  const NO_ID = ["TSK_x", "tsk", "tskx", "nonsense", "tsk-x", "foo_x"];
  for (const id of [UNKNOWN, "tsk_", "tsk_x", `tsk_${"x".repeat(500)}`, ...NO_ID]) {
    const response = await api("POST", `/api/claim/${id}`, { key, body: { claim_token: "clm_x" } });
    expectError(response, 404, "resource_not_found");
  }
});

test("An ID of a kind that cannot be claimed is 400 invalid_param", async ({ api, key }) => {
  for (const id of [
    "org_0000000000000000000000000",
    "key_x",
    "wev_x",
    "iev_x",
    "cla_x",
    "req_x",
    "run_x",
  ]) {
    const response = await api("POST", `/api/claim/${id}`, { key, body: { claim_token: "clm_x" } });
    expectError(response, 400, "invalid_param", "id");
  }
});

test("A claim of a task that has an owner is 400 resource_already_claimed for everyone, whatever the token", async ({
  api,
  organization,
  otherOrganization,
}) => {
  const { id, claim_token } = await makePublicTask(api);
  const body = { claim_token };
  expectStatus(await api("POST", `/api/claim/${id}`, { key: organization.key, body }), 200);
  const owned = { key: organization.key, body: { name: "Never public" } };
  const { body: made } = await api("POST", "/api/tasks", owned);
  for (const key of [organization.key, otherOrganization.key]) {
    for (const [task, token] of [
      [id, claim_token],
      [id, "clm_wrong"],
      [made.id, claim_token],
    ] as const) {
      const again = { key, body: { claim_token: token } };
      const response = await api("POST", `/api/claim/${task}`, again);
      expectError(response, 400, "resource_already_claimed", "id");
      const whose = key === organization.key ? "Your organization already" : "another organization";
      expect(response.body.error.message).toContain(whose);
    }
  }
  const read = await api("GET", `/api/tasks/${id}`, { key: organization.key });
  expect(read.body.organization_id).toBe(organization.id);
});

test("claim_token is required and must be a non-empty string", async ({ api, key }) => {
  const { id } = await makePublicTask(api);
  const refused = await api("POST", `/api/claim/${id}`, { key, body: {} });
  expectError(refused, 400, "missing_required_param", "claim_token");
  for (const claim_token of ["", null, 5, true, ["clm_x"], {}]) {
    const response = await api("POST", `/api/claim/${id}`, { key, body: { claim_token } });
    expectError(response, 400, "invalid_param", "claim_token");
  }
  const extra = await api("POST", `/api/claim/${id}`, {
    key,
    body: { claim_token: "clm_x", organization_id: "org_x" },
  });
  expectError(extra, 400, "unknown_param", "organization_id");
});

test("The token still works after the task has changed", async ({ api, organization, key }) => {
  const { id, claim_token } = await makePublicTask(api);
  await api("PATCH", `/api/tasks/${id}`, { body: { name: "Changed", labels: ["l"] } });
  const claimed = await api("POST", `/api/claim/${id}`, { key, body: { claim_token } });
  expect(claimed.body).toMatchObject({
    name: "Changed",
    labels: ["l"],
    organization_id: organization.id,
  });
});

test("Of fifty parallel claims exactly one wins", async ({ api, db, rows }) => {
  const crowd = await makeCrowd(db, 50);
  for (let round = 0; round < 5; round += 1) {
    const { id, claim_token } = await makePublicTask(api);
    const responses = await Promise.all(
      crowd.map(async (claimer) => ({
        claimer,
        response: await api("POST", `/api/claim/${id}`, {
          key: claimer.key,
          body: { claim_token },
        }),
      })),
    );
    const winners = responses.filter(({ response }) => response.status === 200);
    expect(winners).toHaveLength(1);
    for (const { response } of responses) {
      if (response.status !== 200) expectError(response, 400, "resource_already_claimed", "id");
    }
    expect(winners[0]?.response.body.organization_id).toBe(winners[0]?.claimer.id);
    const stored = await rows.task.findUnique({ where: { id } });
    expect(stored?.organization_id).toBe(winners[0]?.claimer.id);
  }
});

test("Correct tokens are not counted, in sequence or in parallel", async ({ api, key }) => {
  const tasks = await Promise.all(Array.from({ length: 80 }, () => makePublicTask(api)));
  const claim = ({ id, claim_token }: Body) =>
    api("POST", `/api/claim/${id}`, { key, body: { claim_token } });
  for (const task of tasks.slice(40)) expectStatus(await claim(task), 200);
  for (const response of await Promise.all(tasks.slice(0, 40).map(claim)))
    expectStatus(response, 200);
});

test("A change or deletion of a public task is refused when a claim commits first", async ({
  api,
  db,
  organization,
  key,
}) => {
  for (const [method, statement, body] of [
    ["PATCH", "UPDATE tasks SET", { name: "By a stranger" }],
    ["DELETE", "DELETE FROM tasks"],
  ] as const) {
    const { id } = await makePublicTask(api);
    // The write sees a public task and waits for the claim to commit.
    const claim = `UPDATE tasks SET organization_id = '${organization.id}' WHERE id = '${id}'`;
    const response = await whileUncommitted(db, [claim], statement, () =>
      api(method, `/api/tasks/${id}`, { body }),
    );
    expectError(response, 403, "forbidden");
    const read = await api("GET", `/api/tasks/${id}`, { key });
    expect(read.body).toMatchObject({ id, name: "Public", organization_id: organization.id });
  }
});

test("A browser that opens the claim URL is redirected to the claim page", async ({
  api,
  baseUrl,
}) => {
  const { id, claim_url } = await makePublicTask(api);
  const ACCEPT = ["text/html", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"];
  for (const method of ["GET", "HEAD"]) {
    for (const accept of ACCEPT) {
      const response = await api(method, claim_url, { headers: { accept } });
      expectStatus(response, 303);
      expect(new URL(response.headers.need("location"), baseUrl).href).toBe(
        `${baseUrl}/claim/${id}`,
      );
    }
  }
});

test("An ID cannot break out of the claim page's URL", async ({ api, baseUrl }) => {
  for (const id of [
    "%2e%2e%2f%2e%2e",
    "%2f%2fevil.example",
    "x%0d%0aset-cookie:%20a=b",
    "%5cevil.example",
  ]) {
    const response = await api("GET", `/api/claim/${id}`, { headers: { accept: "text/html" } });
    expectStatus(response, 303);
    const location = new URL(response.headers.need("location"), baseUrl);
    expect(location.origin).toBe(baseUrl);
    expect(location.pathname).toMatch(/^\/claim\/[^/]+$/);
    expect(response.headers.get("set-cookie")).toBeNull();
  }
});

test("Any other GET of the claim URL is 405 and says how to claim", async ({ api, baseUrl }) => {
  const { id, claim_url } = await makePublicTask(api);
  for (const accept of [undefined, "application/json", "*/*", "text/plain"]) {
    const headers: Record<string, string> = accept ? { accept } : {};
    const response = await api("GET", claim_url, { headers });
    expectError(response, 405, "method_not_allowed");
    expect(response.body.error.message).toContain(`${baseUrl}/claim/${id}`);
    expect(response.headers.members("allow")).toEqual(["options", "post"]);
    const head = await api("HEAD", claim_url, { headers });
    expectStatus(head, 405);
    expect(head.headers.members("allow")).toEqual(["options", "post"]);
    expect(head.text).toBe("");
  }
});

test.describe("A read that a claim overtakes shows nothing of", () => {
  const SECRET = "for the owner only";

  const makers = {
    async webhook_endpoints(api: Api) {
      const { id } = await makeEndpoint(api);
      const path = `/api/webhooks/${id}/events`;
      const event = await capture(api, id, { raw: SECRET });
      return { id, paths: [path, `${path}?since=wev_0&wait=1`, `${path}/${event}/raw`] };
    },
    async inboxes(api: Api) {
      const inbox = await makeInbox(api);
      await inbox.ingest({ body: SECRET });
      return { id: inbox.id, paths: [`${inbox.path}/events`] };
    },
    async tasks(api: Api) {
      const { id } = await makePublicTask(api);
      await api("POST", `/api/tasks/${id}/notes`, { body: { body: SECRET } });
      return { id, paths: [`/api/tasks/${id}/notes`] };
    },
  };

  for (const [contents, owner] of [
    ["webhook_events", "webhook_endpoints"],
    ["inbox_events", "inboxes"],
    ["task_notes", "tasks"],
  ] as const) {
    test(contents, async ({ api, db, organization }) => {
      const { id, paths } = await makers[owner](api);
      for (const path of paths) expect((await api("GET", path)).text).toContain(SECRET);
      const client = await db.connect();
      let reads: ReturnType<Api>[] = [];
      try {
        // If it waited for the lock, all others would wait for it.
        const lock = `BEGIN; LOCK TABLE ${contents} IN ACCESS EXCLUSIVE MODE NOWAIT`;
        await expect(() => client.query("ROLLBACK").then(() => client.query(lock))).toPass({
          intervals: [20],
        });
        // Access is checked before the lock stops them.
        reads = paths.map((path) => api("GET", path));
        const stopped = `SELECT FROM pg_locks WHERE NOT granted AND relation = '${contents}'::regclass`;
        await expect
          .poll(async () => (await db.query(stopped)).rowCount)
          .toBeGreaterThanOrEqual(paths.length);
        const claim = `UPDATE ${owner} SET organization_id = $1 WHERE id = $2`;
        await client.query(claim, [organization.id, id]);
        await client.query("COMMIT");
      } finally {
        // Other tests would wait for a lock that a failed test kept.
        await client.query("ROLLBACK");
        client.release();
      }
      const responses = await Promise.all(reads);
      expect(responses).toHaveLength(paths.length);
      for (const { text } of responses) expect(text).not.toContain(SECRET);
    });
  }
});

async function makePublicTask(api: Api) {
  const created = await api("POST", "/api/tasks", {
    body: { name: "Public", labels: ["a"], due_at: 7 },
  });
  expectStatus(created, 201);
  return created.body;
}

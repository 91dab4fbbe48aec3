import { makeCrowd } from "../support/accounts";
import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { Api, Body } from "../support/http";
import { makeInbox } from "../support/inboxes";
import { capture, makeEndpoint } from "../support/webhooks";

/** Claiming: one token, one winner, and the resource's children follow. */

const UNKNOWN = "tsk_0000000000000000000000000";

test("A claim with the token transfers the task to the caller and returns it", async ({
  api,
  organization,
  key,
  otherOrganization,
}) => {
  const { id, claim_token, claim_url, claim_link, view_url, ...task } = await makePublicTask(api);
  const claimed = await api("POST", claim_url, { key, body: { claim_token } });
  expectStatus(claimed, 200);
  expect(claimed.body).toEqual({
    id,
    ...task,
    organization_id: organization.id,
    updated_at: claimed.body.updated_at,
  });

  const path = `/api/tasks/${id}`;
  expect((await api("GET", path, { key })).body).toEqual(claimed.body);
  expect((await api("GET", "/api/tasks", { key })).body.data.map((one) => one.id)).toEqual([id]);
  expectError(await api("GET", path), 403, "forbidden");
  expectError(await api("PATCH", path, { body: { name: "x" } }), 403, "forbidden");
  expectError(await api("DELETE", path), 403, "forbidden");
  expectError(await api("GET", path, { key: otherOrganization.key }), 403, "forbidden");
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
  const NO_ID = ["TSK_x", "tsk", "tskx", "nonsense", "tsk-x"];
  for (const id of [UNKNOWN, "tsk_", "tsk_x", `tsk_${"x".repeat(500)}`, ...NO_ID]) {
    const response = await api("POST", `/api/claim/${id}`, { key, body: { claim_token: "clm_x" } });
    expectError(response, 404, "resource_not_found");
  }
});

test("An ID of a kind that cannot be claimed is 400 invalid_param", async ({ api, key }) => {
  for (const id of ["org_0000000000000000000000000", "key_x", "wev_x", "iev_x"]) {
    const response = await api("POST", `/api/claim/${id}`, { key, body: { claim_token: "clm_x" } });
    expectError(response, 400, "invalid_param", "id");
  }
});

test("A claim of a claimed task is 400 resource_already_claimed for everyone, whatever the token", async ({
  api,
  organization,
  otherOrganization,
}) => {
  const { id, claim_token } = await makePublicTask(api);
  expectStatus(
    await api("POST", `/api/claim/${id}`, { key: organization.key, body: { claim_token } }),
    200,
  );
  for (const key of [organization.key, otherOrganization.key]) {
    for (const token of [claim_token, "clm_wrong"]) {
      const response = await api("POST", `/api/claim/${id}`, { key, body: { claim_token: token } });
      expectError(response, 400, "resource_already_claimed", "id");
      const whose = key === organization.key ? "Your organization already" : "another organization";
      expect(response.body.error.message).toContain(whose);
    }
  }
  const read = await api("GET", `/api/tasks/${id}`, { key: organization.key });
  expect(read.body.organization_id).toBe(organization.id);
});

test("A claim of a task created with a key is 400 resource_already_claimed", async ({
  api,
  organization,
  otherOrganization,
}) => {
  const { body: task } = await api("POST", "/api/tasks", {
    key: organization.key,
    body: { name: "x" },
  });
  for (const key of [organization.key, otherOrganization.key]) {
    const response = await api("POST", `/api/claim/${task.id}`, {
      key,
      body: { claim_token: "clm_x" },
    });
    expectError(response, 400, "resource_already_claimed", "id");
  }
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

test("The body is validated before the task is looked up", async ({ api, key }) => {
  const response = await api("POST", `/api/claim/${UNKNOWN}`, { key, body: {} });
  expectError(response, 400, "missing_required_param", "claim_token");
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

test("Wrong tokens are limited per caller, in local mode too", async ({
  api,
  key,
  otherOrganization,
}) => {
  const { id, claim_token } = await makePublicTask(api);
  const guess = () => api("POST", `/api/claim/${id}`, { key, body: { claim_token: "clm_guess" } });
  let limited = await guess();
  for (let tries = 1; limited.status === 403 && tries < 200; tries += 1) limited = await guess();
  expectError(limited, 429, "rate_limited");
  expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
  expectError(await guess(), 429, "rate_limited");
  const claimed = await api("POST", `/api/claim/${id}`, {
    key: otherOrganization.key,
    body: { claim_token },
  });
  expectStatus(claimed, 200);
});

test("Parallel wrong tokens are counted too", async ({ api, key }) => {
  const { id } = await makePublicTask(api);
  const guess = () => api("POST", `/api/claim/${id}`, { key, body: { claim_token: "clm_guess" } });
  const responses = await Promise.all(Array.from({ length: 120 }, guess));
  const refused = responses.filter(({ status }) => status === 403);
  expect(refused.length).toBeLessThanOrEqual(30);
  for (const response of responses) {
    if (response.status !== 403) expectError(response, 429, "rate_limited");
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

for (const method of ["PATCH", "DELETE"]) {
  test(`A ${method} of a public task is refused when a claim commits first`, async ({
    api,
    db,
    organization,
    key,
  }) => {
    const { id } = await makePublicTask(api);
    const claimer = await db.connect();
    await claimer.query("BEGIN");
    await claimer.query("UPDATE tasks SET organization_id = $2 WHERE id = $1", [
      id,
      organization.id,
    ]);
    const { rows } = await claimer.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    // The write sees a public task and waits for the claim to commit.
    const response = api(method, `/api/tasks/${id}`, {
      body: method === "PATCH" ? { name: "By a stranger" } : undefined,
    });
    const waiting =
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))";
    await expect
      .poll(async () => (await db.query<{ n: number }>(waiting, [rows[0]?.pid])).rows[0]?.n)
      .toBe(1);
    await claimer.query("COMMIT");
    claimer.release();
    expectError(await response, 403, "forbidden");
    const read = await api("GET", `/api/tasks/${id}`, { key });
    expect(read.body).toMatchObject({ id, name: "Public", organization_id: organization.id });
  });
}

test("A create without a key returns absolute links for its user to claim and to view", async ({
  api,
  baseUrl,
  key,
}) => {
  const PAGES: Array<[path: string, body: object]> = [
    ["tasks", { name: "x" }],
    ["webhooks", { name: "x" }],
    ["artifacts", { name: "x", content: "x" }],
    ["messages", { url: "https://example.com", delay_seconds: 3600 }],
    ["inboxes", { name: "x" }],
  ];
  for (const [path, body] of PAGES) {
    // A forged host must not send the user and the token to another site.
    const headers = { "x-forwarded-host": "evil.example", "idempotency-key": crypto.randomUUID() };
    const create = () => api("POST", `/api/${path}`, { body, headers });
    const created = await create();
    expectStatus(created, 201);
    const { id, claim_token, claim_link, view_url } = created.body;
    expect(claim_link).toBe(`${baseUrl}/claim/${id}#claim_token=${claim_token}`);
    expect(view_url).toBe(`${baseUrl}/${path}/${id}`);
    expect((await create()).body).toEqual(created.body);
    const read = await api("GET", `/api/${path}/${id}`);
    expect(Object.keys(read.body)).not.toContain("claim_link");
    expectStatus(await api("GET", new URL(view_url).pathname), 200);

    const owned = await api("POST", `/api/${path}`, { key, body });
    for (const name of ["claim_token", "claim_url", "claim_link", "view_url"]) {
      expect(owned.body).not.toHaveProperty(name);
    }
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
      expect(new URL(response.headers.get("location") ?? "", baseUrl).href).toBe(
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
    const location = new URL(response.headers.get("location") ?? "", baseUrl);
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
    for (const method of ["PUT", "OPTIONS"]) {
      const { headers: other } = await api(method, claim_url);
      expect(other.get("allow")).toBe(response.headers.get("allow"));
    }
    expect(response.headers.members("allow")).toContain("post");
    const head = await api("HEAD", claim_url, { headers });
    expectStatus(head, 405);
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
        await client.query("BEGIN");
        await client.query(`LOCK TABLE ${contents} IN ACCESS EXCLUSIVE MODE`);
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

import { ApiError, createClient } from "@/packages/client/src/index";
import { expect, test } from "../support/cli";
import { startFlakyProxy } from "../support/flaky-proxy";

/** The client and the command line against a server of another version. */

test("What a newer server adds reaches the caller, and its errors keep their own names", async ({
  baseUrl,
  cli,
  key,
}) => {
  const client = createClient({ baseUrl, apiKey: key });
  const task = await client.tasks.create({ name: "Write" });
  const newer = { ...task, priority: "someday", effort: { hours: 3 } };
  const page = { object: "list", data: [newer], has_more: false, next_cursor: null, facets: {} };
  const error = { type: "quota_error", code: "plan_exceeded", message: "Too many.", hint: "Pay." };
  const proxy = await startFlakyProxy(baseUrl, ({ path }) => {
    if (path.startsWith("/api/tasks?")) return { status: 200, body: JSON.stringify(page) };
    if (path === "/api/inboxes") return { status: 402, body: JSON.stringify({ error }) };
    return { status: 200, body: JSON.stringify(newer) };
  });
  const through = createClient({ baseUrl: proxy.url, apiKey: key });
  expect(await through.tasks.get(task.id)).toEqual(newer);
  const failure = await through.inboxes.create({ name: "Orders" }).catch((thrown) => thrown);
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toMatchObject({ status: 402, type: "quota_error", code: "plan_exceeded" });

  const environment = { AGENT_INFRA_URL: proxy.url, AGENT_INFRA_KEY: key };
  const listed = await cli.run(["tasks", "list"], { environment });
  expect(listed).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("someday") });
  const refused = await cli.run(["inbox", "add", "Orders"], { environment });
  expect(refused).toEqual({ code: 1, stdout: "", stderr: "agent-infra: Too many.\n" });
  await proxy.stop();
});

test("An operation that an older server lacks is named as missing, and the version as a reason", async ({
  baseUrl,
  cli,
  key,
}) => {
  const missing = await fetch(`${baseUrl}/api/not-yet`, { method: "POST" });
  const body = await missing.text();
  const proxy = await startFlakyProxy(baseUrl, ({ path }) =>
    path.endsWith("/stats") ? { status: missing.status, body } : "pass",
  );
  const client = createClient({ baseUrl: proxy.url, apiKey: key });
  const inbox = await client.inboxes.create({ name: "Orders" });
  await expect(client.inboxes.stats.get(inbox.id)).rejects.toMatchObject({
    status: 404,
    code: "route_not_found",
  });
  const environment = { AGENT_INFRA_URL: proxy.url, AGENT_INFRA_KEY: key };
  const { code, stderr } = await cli.run(["inbox", "stats", inbox.id], { environment });
  expect(code).toBe(1);
  expect(stderr).toContain("another version");
  await proxy.stop();
});

import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { createClient } from "@/packages/client/src/index";
import { type CommandLine, expect, test } from "../support/cli";
import { startFlakyProxy } from "../support/flaky-proxy";
import { plainEnvironment } from "../support/servers";
import { startTarget } from "../support/target";

/** Whole jobs with `agent-infra`: any request, inboxes, events, messages, and where things are. */

const LINK = /answer\/(qst_\w+)#(ans_\w+)/;
const CLAIM_LINK = /https?:\/\/\S+#claim_token=clm_/;

/** Runs a command that must succeed, and returns the JSON values that it prints. */
async function done(cli: CommandLine, key: string, words: string[], input?: string) {
  const environment = { AGENT_INFRA_KEY: key };
  const ended = await cli.run([...words, "--json"], {
    environment,
    ...(input !== undefined && { input }),
  });
  expect(ended, words.join(" ")).toMatchObject({ code: 0, stderr: "" });
  return ended.stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

test("api sends fields as a query or as JSON, a file as it is, and follows all pages", async ({
  baseUrl,
  cli,
  key,
}) => {
  const fields = [
    "-f",
    "name=12",
    "-f",
    "labels[]=a",
    "-f",
    "labels[]=b=c",
    "-F",
    "due_at=1900000000",
  ];
  const [task] = await done(cli, key, ["api", "POST", "/api/tasks", ...fields]);
  expect(task).toMatchObject({ name: "12", labels: ["a", "b=c"], due_at: 1_900_000_000 });
  const [changed] = await done(
    cli,
    key,
    ["api", "patch", `api/tasks/${task.id}`, "--input", "-"],
    '{"priority":"high"}',
  );
  expect(changed).toMatchObject({ id: task.id, priority: "high" });
  const [nested] = await done(cli, key, [
    ...[
      "api",
      "POST",
      "/api/messages",
      "-f",
      "url=http://127.0.0.1:9/",
      "-F",
      "delay_seconds=3600",
    ],
    ...["-f", "headers[X-Test]=yes", "-F", "body=null"],
  ]);
  expect(nested).toMatchObject({ headers: { "X-Test": "yes" }, body: null });

  const client = createClient({ baseUrl, apiKey: key });
  for (const name of ["Second", "Third"]) await client.tasks.create({ name });
  const [page] = await done(cli, key, ["api", "GET", "/api/tasks?limit=1", "-f", "label=a"]);
  expect(page.data.map(({ id }: { id: string }) => id)).toEqual([task.id]);
  const all = await done(cli, key, ["api", "GET", "/api/tasks", "-F", "limit=1", "--paginate"]);
  expect(all.map(({ name }) => name)).toEqual(["Third", "Second", "12"]);
  const [head] = await done(cli, key, ["api", "GET", `/api/tasks/${task.id}`, "--include"]);
  expect(head).toMatchObject({ status: 200, headers: { etag: expect.stringMatching(/^"/) } });
  expect(await done(cli, key, ["api", "DELETE", `/api/tasks/${task.id}`])).toEqual([]);
});

test("api prints bytes as they are, and sends its credentials to no other server", async ({
  cli,
  key,
}) => {
  const environment = { AGENT_INFRA_KEY: key };
  const content = "# Über\n\u001b[31m";
  const [artifact] = await done(cli, key, [
    "api",
    "POST",
    "/api/artifacts",
    "-f",
    "name=A",
    "-f",
    `content=${content}`,
  ]);
  const raw = await cli.run(["api", "GET", `/api/artifacts/${artifact.id}/raw`], { environment });
  expect(raw).toEqual({ code: 0, stderr: "", stdout: content });

  const target = await startTarget();
  const cases: [words: string[], code: number, message: string][] = [
    [["GET", `${target.url}/api/tasks`], 2, "The path must be one of"],
    [["GET", "tasks/tsk_1"], 2, "Did you mean /api/tasks/tsk_1?"],
    [["HEAD", "/api/tasks"], 2, "Use GET, POST"],
    [["POST", "/api/tasks", "-F", "due_at=soon"], 2, "is not JSON"],
    [["POST", "/api/tasks", "-f", "a[]=1", "-f", "a[b]=2"], 2, "contradicts"],
    [["POST", "/api/tasks", "--input", "no-such-file"], 2, "there is no such file"],
    [["POST", "/api/tasks", "--paginate"], 2, "--paginate is for GET"],
    [["GET", "/api/tasks", "--input", cli.file], 2, "A GET has no body"],
    [["GET", "/api/none"], 1, "another version"],
  ];
  for (const [words, code, message] of cases) {
    const ended = await cli.run(["api", ...words], { environment });
    expect.soft(ended, words.join(" ")).toMatchObject({ code, stdout: "" });
    expect.soft(ended.stderr).toContain(message);
  }
  expect(target.received).toEqual([]);
  await target.stop();
});

test("An inbox is made, filled, counted and worked on", async ({ cli, key }) => {
  const [inbox] = await done(cli, key, ["inbox", "add", "Orders", "--max-events", "5"]);
  expect(inbox).toMatchObject({ name: "Orders", max_events: 5 });
  const [first] = await done(cli, key, ["inbox", "send", inbox.id, "--data", '{"order":7}']);
  await done(cli, key, ["inbox", "send", inbox.id, "--data", "-", "--in", "1h"], "later");
  const send = ["inbox", "send", inbox.id, "--data", "x", "--dedup-id", "one"];
  const [once] = await done(cli, key, send);
  const [twice] = await done(cli, key, send);
  expect([once.deduplicated, twice.deduplicated]).toEqual([false, true]);
  // What the service says of a repeat of a request whose response was lost.
  const proxy = await startTarget((response) =>
    response.end('{"id":"iev_1","state":"ready","deduplicated":true}'),
  );
  const repeated = ["inbox", "send", inbox.id, "--data", "x", "--url", proxy.url];
  expect((await cli.run(repeated)).stdout).toBe("iev_1  ready\n");
  await proxy.stop();
  const [stats] = await done(cli, key, ["inbox", "stats", inbox.id]);
  expect(stats).toMatchObject({ ready: 2, delayed: 1, leased: 0, totals: { ingested: 3 } });
  const [event] = await done(cli, key, [
    "api",
    "GET",
    `/api/inboxes/${inbox.id}/events/${first.id}`,
  ]);
  expect(event).toMatchObject({ content_type: "application/json", body: '{"order":7}' });
  const environment = { AGENT_INFRA_KEY: key };
  const worked = await cli.run(["work", inbox.id, "--once", "--idle", "5s", "--", "cat"], {
    environment,
  });
  expect(worked).toMatchObject({ code: 0, stdout: '{"order":7}' });
});

test("Captured events are listed, shown and replayed from this machine and by the service", async ({
  api,
  cli,
  key,
}) => {
  const [hook] = await done(cli, key, ["api", "POST", "/api/webhooks", "-f", "name=Hook"]);
  const bytes = Buffer.from([0, 255, 10]);
  await api("PUT", `/api/catch/${hook.id}/orders?id=7`, {
    raw: bytes,
    headers: { "x-test": "yes" },
  });
  await api("POST", `/api/catch/${hook.id}`, { raw: "second" });
  const [newest, oldest] = await done(cli, key, ["events", "list", hook.url]);
  expect([newest.body, oldest.method]).toEqual(["second", "PUT"]);
  expect(await done(cli, key, ["events", "list", hook.id, "--method", "PUT"])).toHaveLength(1);
  expect(await done(cli, key, ["events", "list", hook.id, "--limit", "1"])).toHaveLength(1);
  const environment = { AGENT_INFRA_KEY: key };
  const shown = await cli.run(["events", "show", hook.id, newest.id], { environment });
  expect(shown.stdout).toMatch(/POST {3} \/ .*\n(.+: .+\n)+\nsecond$/);
  const file = path.join(cli.configFolder, "body");
  await new Promise((resolve) => {
    const out = fs.openSync(file, "w");
    const child = spawn(
      process.execPath,
      [cli.file, "events", "show", hook.id, oldest.id, "--raw"],
      {
        env: { ...plainEnvironment(), ...environment, AGENT_INFRA_URL: new URL(hook.url).origin },
        stdio: ["ignore", out, "inherit"],
      },
    );
    child.once("exit", resolve);
  });
  expect(fs.readFileSync(file)).toEqual(bytes);

  const target = await startTarget();
  const { port } = new URL(target.url);
  const [outcome] = await done(cli, key, [
    "events",
    "replay",
    hook.id,
    oldest.id,
    "--to",
    `${port}/hook`,
  ]);
  expect(outcome).toMatchObject({ status: 200, path: "/hook/orders?id=7" });
  const to = ["--to", `${target.url}/later`, "--by-service"];
  const [message] = await done(cli, key, ["events", "replay", hook.id, newest.id, ...to]);
  expect(message.id).toMatch(/^msg_/);
  await expect
    .poll(() => target.received.map(({ path }) => path))
    .toEqual(["/hook/orders?id=7", "/later"]);
  expect(target.received[0]).toMatchObject({ method: "PUT", body: bytes });
  await target.stop();
  const words = ["events", "replay", hook.id, oldest.id, "--to", port];
  const refused = expect.stringContaining("connection refused");
  expect(await cli.run(words, { environment })).toMatchObject({ code: 1, stdout: refused });
});

test("The start of a body that was too large to keep is printed, and said to be only that", async ({
  api,
  cli,
  key,
}) => {
  const [hook] = await done(cli, key, ["api", "POST", "/api/webhooks", "-f", "name=Hook"]);
  const raw = Buffer.alloc(1_000_001, "x");
  const { body } = await api("POST", `/api/catch/${hook.id}`, { raw });
  const environment = { AGENT_INFRA_KEY: key };
  const shown = await cli.run(["events", "show", hook.id, body.event_id, "--raw"], { environment });
  expect(shown.stdout === "x".repeat(1_000_000)).toBe(true);
  expect(shown).toMatchObject({ code: 0, stderr: expect.stringContaining("only the start") });
});

test("Messages are listed by status, canceled and sent again", async ({ cli, key }) => {
  const target = await startTarget();
  const [message] = await done(cli, key, ["send", `${target.url}/hook`, "--in", "1h"]);
  const [canceled] = await done(cli, key, ["messages", "cancel", message.id]);
  expect(canceled.status).toBe("canceled");
  const listed = await done(cli, key, ["messages", "list", "--status", "canceled"]);
  expect(listed.map(({ id }) => id)).toEqual([message.id]);
  await done(cli, key, ["messages", "retry", message.id]);
  await expect.poll(() => target.received.length).toBe(1);
  const environment = { AGENT_INFRA_KEY: key };
  const none = await cli.run(["messages", "list", "--status", "failed"], { environment });
  expect(none).toEqual({ code: 0, stdout: "", stderr: "There are no such messages.\n" });
  await target.stop();
});

test("status says whether the service works and who asks, and open where its pages are", async ({
  baseUrl,
  cli,
  key,
}) => {
  const [status] = await done(cli, key, ["status"]);
  expect(status).toMatchObject({
    base_url: baseUrl,
    health: { status: "ok" },
    me: { kind: "api_key" },
  });
  const anonymous = await cli.run(["status"]);
  expect(anonymous).toMatchObject({ code: 0, stdout: expect.stringContaining("Not signed in") });
  const down = await cli.run(["status", "--url", "http://127.0.0.1:9"]);
  expect(down).toMatchObject({ code: 4, stdout: "" });

  const page = async (...words: string[]) =>
    (await cli.run(["open", "--no-browser", ...words])).stdout;
  expect(await page()).toBe(`${baseUrl}/dashboard\n`);
  const { id } = await createClient({ baseUrl, apiKey: key }).inboxes.create({ name: "Orders" });
  expect(await page(id)).toBe(`${baseUrl}/inboxes/${id}\n`);
  expect(await cli.run(["open", "--no-browser", "tsk_/../x"])).toMatchObject({ code: 2 });
});

test("Every command that creates without a key prints the link that claims", async ({
  api,
  cli,
}) => {
  const file = path.join(cli.configFolder, "report.md");
  fs.writeFileSync(file, "# Report");
  const listening = cli.start(["listen"]);
  await expect.poll(() => listening.stdout()).toContain("Make it yours: http");
  const endpoint = /wh_\w+/.exec(listening.stdout())?.[0] ?? "";
  await cli.run(["trigger", endpoint]);
  await expect.poll(() => listening.stdout()).toMatch(/wev_\w+/);
  const event = /wev_\w+/.exec(listening.stdout())?.[0] ?? "";
  listening.child.kill("SIGINT");
  await listening.ended;
  for (const words of [
    ["tasks", "add", "Write"],
    ["publish", file],
    ["inbox", "add", "Orders"],
    ["send", "http://127.0.0.1:9/", "--in", "1h"],
    ["events", "replay", endpoint, event, "--to", "http://127.0.0.1:9/", "--by-service"],
    [
      "api",
      "POST",
      "/api/schedules",
      "-f",
      "name=S",
      "-F",
      "every_seconds=3600",
      "-F",
      'target={"task":{"name":"T"}}',
    ],
  ]) {
    const { code, stdout } = await cli.run(words);
    expect.soft({ words, code }).toEqual({ words, code: 0 });
    expect.soft(stdout, words.join(" ")).toMatch(CLAIM_LINK);
  }
  const asking = cli.start(["ask", "Deploy?", "--json"]);
  await expect.poll(asking.stderr).toMatch(CLAIM_LINK);
  const [, id, answer_token] = LINK.exec(asking.stderr()) ?? [];
  await api("POST", `/api/questions/${id}/answer`, { body: { answer: "Yes", answer_token } });
  expect(JSON.parse((await asking.ended).stdout)).toMatchObject({
    answer: "Yes",
    claim_link: expect.stringMatching(CLAIM_LINK),
  });
});

test("tasks done gives back the lease that tasks next took, and no other one", async ({
  baseUrl,
  cli,
  key,
}) => {
  const client = createClient({ baseUrl, apiKey: key });
  await client.tasks.create({ name: "Write" });
  const [taken] = await done(cli, key, ["tasks", "next"]);
  const [task] = await done(cli, key, ["tasks", "done", taken.task.id, "--note", "Ready."]);
  expect(task.labels).toEqual(["done"]);
  expect((await client.tasks.notes.list(task.id)).data).toMatchObject([{ body: "Ready." }]);
  await expect(client.tasks.lease.get(task.id)).rejects.toMatchObject({ status: 404 });

  await client.tasks.create({ name: "Again" });
  const [second] = await done(cli, key, ["tasks", "next", "--lease", "30s"]);
  await client.tasks.lease.release(second.task.id, { lease_id: second.lease.lease_id });
  await client.tasks.lease.take(second.task.id, { holder: "other" });
  const lost = await cli.run(["tasks", "done", second.task.id, "--json"], {
    environment: { AGENT_INFRA_KEY: key },
  });
  expect(JSON.parse(lost.stdout)).toMatchObject({ error: { code: "lease_lost" } });
  // The lost lease is forgotten, so that one can go on.
  const [forced] = await done(cli, key, ["tasks", "done", second.task.id]);
  expect(forced.labels).toEqual(["done"]);
});

test("A command whose output is closed ends quietly", async ({ baseUrl, cli, key }) => {
  const client = createClient({ baseUrl, apiKey: key });
  for (let index = 0; index < 4; index++) await client.tasks.create({ name: `Task ${index}` });
  const content = "x".repeat(900_000);
  const artifact = await client.artifacts.create({ name: "Large", content });
  for (const command of [
    "tasks list",
    "api GET /api/tasks -F limit=1 --paginate",
    `api GET /api/artifacts/${artifact.id}/raw`,
    "completion bash",
  ]) {
    const script = `{ node ${cli.file} ${command}; echo "exit $?" >&2; } | head -c 10 >/dev/null`;
    const child = spawn("sh", ["-c", script], {
      env: {
        ...plainEnvironment(),
        XDG_CONFIG_HOME: cli.configFolder,
        AGENT_INFRA_URL: baseUrl,
        AGENT_INFRA_KEY: key,
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    expect.soft(await text(child.stderr), command).toBe("exit 0\n");
  }
});

test("A full disk is a failure that stderr tells of", async ({ cli }) => {
  for (const command of ["completion bash", "--help"]) {
    const script = `node ${cli.file} ${command} > /dev/full`;
    const { status, stderr } = spawnSync("sh", ["-c", script], { env: plainEnvironment() });
    expect.soft(status, command).toBe(1);
    expect.soft(stderr.toString(), command).toContain("ENOSPC: no space left on device");
  }
});

test("ask shows the link, waits for the answer, prints its label, and fails if it is a no", async ({
  cli,
  api,
  key,
}) => {
  // An ID may be half as long as a label.
  const long = "yes!".repeat(50);
  const cases: [words: string[], answer: string, printed: string, code: number][] = [
    [["--approve"], "approve", "approve", 0],
    [["--approve"], "deny", "deny", 1],
    [["--choice", "no", "--choice", long], "option-2", long, 0],
  ];
  for (const [words, answer, printed, code] of cases) {
    const environment = { AGENT_INFRA_KEY: key };
    const asking = cli.start(["ask", "Deploy?", ...words], { environment });
    await expect.poll(asking.stderr).toMatch(LINK);
    const [, id, answer_token] = LINK.exec(asking.stderr()) ?? [];
    const body = { answer, answer_token };
    const answered = await api("POST", `/api/questions/${id}/answer`, { body });
    expect(answered.status).toBe(200);
    expect(await asking.ended).toMatchObject({ code, stdout: `${printed}\n` });
  }
});

test("ask and tasks next go on waiting when the service cannot be reached for a while", async ({
  api,
  baseUrl,
  cli,
  key,
}) => {
  const { body: task } = await api("POST", "/api/tasks", { key, body: { name: "Lost" } });
  // More breaks than a single request survives. The first of them takes the lease of the task.
  const breaks = new Map<string, number>();
  const proxy = await startFlakyProxy(baseUrl, ({ path }) => {
    const isWait = /wait=|lease-next/.test(path);
    const count = breaks.get(path) ?? 0;
    breaks.set(path, count + 1);
    if (!isWait || count >= 3) return "pass";
    return path.includes("wait=") ? "refuse" : "lose";
  });
  const environment = { AGENT_INFRA_KEY: key, AGENT_INFRA_URL: proxy.url };
  const asking = cli.start(["ask", "Deploy?", "--approve"], { environment });
  const next = cli.start(["tasks", "next", "--wait", "20s", "--json"], { environment });
  for (const { stderr } of [asking, next]) {
    await expect.poll(stderr).toContain("Connecting again");
  }
  const [, id, answer_token] = LINK.exec(asking.stderr()) ?? [];
  await api("POST", `/api/questions/${id}/answer`, { body: { answer: "approve", answer_token } });
  expect(await asking.ended).toMatchObject({ code: 0, stdout: "approve\n" });
  expect(JSON.parse((await next.ended).stdout)).toMatchObject({ task: { id: task.id } });
  expect(proxy.received.filter(({ path }) => path === "/api/questions")).toHaveLength(1);
  await proxy.stop();
});

import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import { makeKey } from "../support/accounts";
import { expect, test } from "../support/cli";
import { startFlakyProxy } from "../support/flaky-proxy";
import { makeInbox } from "../support/inboxes";
import { pause } from "../support/servers";
import { startHoldingTarget, startTarget } from "../support/target";

/** `agent-infra work`, as a process, with commands that are processes as well. */

/** Two signals in less time are one Ctrl-C. */
const APART_MS = 300;

const node = (script: string) => ["--", process.execPath, "-e", script];

test("Each event is run with its bytes and metadata; exit code 0 acknowledges, another gives it back", async ({
  api,
  cli,
}) => {
  const inbox = await makeInbox(api);
  const good = await inbox.ingest({ raw: "good", headers: { "content-type": "text/x-test" } });
  const bad = await inbox.ingest({ raw: "bad" });
  const script = `
    const body = require("fs").readFileSync(0, "utf8");
    const { AGENT_INFRA_HEADERS, ...env } = process.env;
    const names = ["EVENT_ID", "INBOX_ID", "DELIVERY_COUNT", "CONTENT_TYPE"];
    const values = names.map((name) => env["AGENT_INFRA_" + name]);
    console.log([body, ...values, JSON.parse(AGENT_INFRA_HEADERS)["content-type"]].join(" "));
    process.exitCode = body === "bad" ? 3 : 0;`;
  const working = cli.start(["work", inbox.id, "--retry-in", "1h", ...node(script)]);
  await expect.poll(working.stderr).toContain(`${bad.id}  `);
  working.child.kill("SIGTERM");
  const ended = await working.ended;
  expect(ended.stdout.split("\n")).toEqual([
    `good ${good.id} ${inbox.id} 1 text/x-test text/x-test`,
    `bad ${bad.id} ${inbox.id} 1  `,
    "",
  ]);
  expect(ended.stderr).toContain(`${bad.id}  ${process.execPath}: exit code 3`);
  expect(ended.code).toBe(0);
  expect(await inbox.events()).toMatchObject([
    { id: bad.id, state: "delayed", last_error: `${process.execPath}: exit code 3` },
  ]);
});

test("Headers that are too long for a variable are left out, and so are those of an outer command", async ({
  api,
  cli,
}) => {
  const inbox = await makeInbox(api);
  await inbox.ingest({ raw: "1", headers: { "x-long": '"'.repeat(55_000) } });
  const words = [
    "work",
    inbox.id,
    "--once",
    ...node("console.log(process.env.AGENT_INFRA_HEADERS)"),
  ];
  const ended = await cli.run(words, { environment: { AGENT_INFRA_HEADERS: "outer" } });
  expect(ended).toMatchObject({ code: 0, stdout: "undefined\n" });
});

test("A megabyte of any bytes reaches the command, and a command that ignores its input succeeds", async ({
  api,
  cli,
}) => {
  const inbox = await makeInbox(api);
  const body = randomBytes(1_000_000);
  await inbox.ingest({ raw: body });
  await inbox.ingest({ raw: Buffer.alloc(1_000_000) });
  const digest = `
    const body = require("fs").readFileSync(0);
    process.stdout.write(require("crypto").createHash("sha256").update(body).digest("hex"));`;
  const hashed = await cli.run(["work", inbox.id, "--once", ...node(digest)]);
  expect(hashed.stdout).toBe(createHash("sha256").update(body).digest("hex"));
  const ignored = await cli.run(["work", inbox.id, "--once", ...node("")]);
  expect([hashed.code, ignored.code]).toEqual([0, 0]);
  expect(await inbox.eventCount()).toBe(0);
});

test("With --json, stdout has a line for each event and one for the end; the command writes to stderr", async ({
  api,
  cli,
}) => {
  const inbox = await makeInbox(api);
  const { id } = await inbox.ingest({ raw: "1" });
  const words = ["work", inbox.id, "--once", "--json", ...node("console.log('output')")];
  const { code, stdout, stderr } = await cli.run(words);
  const values = stdout.trim().split("\n");
  expect(values.map((line) => JSON.parse(line))).toEqual([
    {
      object: "handled_event",
      event_id: id,
      exit_code: 0,
      error: null,
      duration_ms: expect.any(Number),
    },
    { object: "work_result", inbox_id: inbox.id, done: 1, failed: 0 },
  ]);
  expect(stderr).toContain("output");
  expect(code).toBe(0);
});

test("A channel wakes a command with each whole event, but for its lease, and ends on SIGTERM", async ({
  api,
  cli,
}) => {
  const inbox = await makeInbox(api);
  const headers = { "content-type": "application/json" };
  const good = await inbox.ingest({ raw: '{"n":1}', headers });
  const bad = await inbox.ingest({ raw: "no", headers: { "content-type": "text/plain" } });
  const script = `
    const event = JSON.parse(require("fs").readFileSync(0, "utf8"));
    const { id, body, parsed_body: parsed, headers, lease_id } = event;
    console.log(JSON.stringify([id, body, parsed, headers["content-type"], lease_id]));
    process.exitCode = parsed === null ? 1 : 0;`;
  const words = ["channel", "--inbox", inbox.id, "--retry-in", "1h"];
  const channel = cli.start([...words, ...node(script)]);
  await expect.poll(channel.stderr).toContain(`${bad.id}  `);
  channel.child.kill("SIGTERM");
  const ended = await channel.ended;
  const lines = ended.stdout.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    [good.id, '{"n":1}', { n: 1 }, "application/json", null],
    [bad.id, "no", null, "text/plain", null],
  ]);
  expect(ended.code).toBe(0);
  expect(await inbox.events()).toMatchObject([{ id: bad.id, state: "delayed" }]);
  const { code, stderr } = await cli.run(["channel", ...node("")]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("--inbox")]);
});

test("The lease is extended while the command runs", async ({ api, cli }) => {
  const inbox = await makeInbox(api);
  const { id } = await inbox.ingest({ raw: "1" });
  const words = ["work", inbox.id, "--lease", "4s", ...node("setTimeout(() => {}, 60_000)")];
  cli.start(words);
  const leasedUntil = async () => (await inbox.event(id)).leased_until ?? 0;
  await expect.poll(leasedUntil).toBeGreaterThan(0);
  const first = await leasedUntil();
  await expect.poll(leasedUntil).toBeGreaterThan(first);
});

test("A command that was ended because its lease was lost is reported as such", async ({
  api,
  baseUrl,
  cli,
}) => {
  const inbox = await makeInbox(api);
  const { id } = await inbox.ingest({ raw: "1" });
  const proxy = await startFlakyProxy(baseUrl, ({ path }) =>
    path.endsWith("/extend") ? { status: 503 } : "pass",
  );
  const words = ["work", inbox.id, "--once", "--lease", "1s", "--url", proxy.url];
  const ended = await cli.run([...words, ...node("setTimeout(() => {}, 60_000)")]);
  expect(ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${id}  The lease could not be extended in time.`),
  });
  await proxy.stop();
});

test("Ctrl-C lets the command finish; a second one ends it and gives the event back at once", async ({
  api,
  cli,
}) => {
  const script =
    "console.log('began'); require('fs').readSync(0, Buffer.alloc(1)); setTimeout(() => {}, 1000)";
  const inbox = await makeInbox(api);
  await inbox.ingest({ raw: "1" });
  // As npm does, whose child gets the terminal's, too.
  const again = "process.once('SIGINT',()=>setImmediate(()=>process.emit('SIGINT','SIGINT')))";
  const patient = cli.start(["work", inbox.id, ...node(script)], {
    environment: { NODE_OPTIONS: `--import data:text/javascript,${again}` },
  });
  await expect.poll(patient.stdout).toBe("began\n");
  patient.child.kill("SIGINT");
  expect(await patient.ended).toMatchObject({ code: 0 });
  expect(await inbox.eventCount()).toBe(0);

  const { id } = await inbox.ingest({ raw: "2" });
  // As many programs end when asked.
  const obedient = "process.on('SIGTERM', () => process.exit(0)); setTimeout(() => {}, 60_000)";
  const hasty = cli.start(["work", inbox.id, ...node(`${obedient}; console.log('began')`)]);
  await expect.poll(hasty.stdout).toBe("began\n");
  hasty.child.kill("SIGINT");
  await expect.poll(hasty.stderr).toContain("Stopping");
  await pause(APART_MS);
  hasty.child.kill("SIGINT");
  expect(await hasty.ended).toMatchObject({ code: 0 });
  expect(await inbox.event(id)).toMatchObject({ state: "ready" });
});

/** The state of a process in /proc. One that has ended may wait for init. */
function stateOf(pid: string): string | undefined {
  const file = `/proc/${pid}/stat`;
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").split(" ")[2] : "Z";
}

test("A second Ctrl-C ends what the command started, even what ignores SIGTERM", async ({
  api,
  cli,
}) => {
  const inbox = await makeInbox(api);
  await inbox.ingest({ raw: "1" });
  const stubborn =
    "process.on('SIGTERM', () => {}); console.log(process.pid); setInterval(() => {}, 60_000)";
  const script = `
    const started = ${JSON.stringify(stubborn)};
    require("child_process").spawn(process.execPath, ["-e", started], { stdio: ["ignore", "inherit", "inherit"] });
    setInterval(() => {}, 60_000);`;
  const working = cli.start(["work", inbox.id, ...node(script)]);
  await expect.poll(working.stdout).toMatch(/^\d+\n$/);
  const pid = working.stdout().trim();
  working.child.kill("SIGINT");
  await expect.poll(working.stderr).toContain("Stopping");
  await pause(APART_MS);
  working.child.kill("SIGINT");
  expect(await working.ended).toMatchObject({ code: 0 });
  await expect.poll(() => stateOf(pid)).toBe("Z");
});

test("A third Ctrl-C stops at once, and leaves no command behind", async ({ api, cli }) => {
  const inbox = await makeInbox(api);
  await inbox.ingest({ raw: "1" });
  // Told to end, it sends the third itself: soon it would be killed anyway.
  const third = `setTimeout(() => process.kill(process.ppid, 'SIGINT'), ${APART_MS})`;
  const stubborn = `process.on('SIGTERM', () => ${third}); console.log(process.pid); setTimeout(() => {}, 60_000)`;
  const working = cli.start(["work", inbox.id, ...node(stubborn)]);
  await expect.poll(working.stdout).toMatch(/^\d+\n$/);
  const pid = working.stdout().trim();
  working.child.kill("SIGINT");
  await expect.poll(working.stderr).toContain("Stopping");
  await pause(APART_MS);
  working.child.kill("SIGINT");
  expect(await working.ended).toMatchObject({ code: 130 });
  await expect.poll(() => stateOf(pid)).toBe("Z");
});

test("An error that the work cannot survive ends it before its idle time is over", async ({
  cli,
}) => {
  for (const words of [
    ["work", "inbox_none"],
    ["channel", "--inbox", "inbox_none"],
  ]) {
    const ended = await cli.run([...words, "--idle", "1h", ...node("")]);
    expect(ended, words.join(" ")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("inbox_none"),
    });
  }
});

test("Idling without a connection, or behind a proxy's page, ends with exit code 4, since there may be work", async ({
  cli,
}) => {
  const proxy = await startTarget((response) => {
    if (proxy.received.length === 1) response.end('{"object":"list","data":[]}');
    else response.writeHead(404).end("No such site");
  });
  const cases: [url: string, said: string][] = [
    ["http://127.0.0.1:9", "Cannot reach"],
    [proxy.url, "No such site"],
  ];
  for (const [url, said] of cases) {
    const words = ["work", "inbox_1", "--once", "--idle", "1s", "--url", url, ...node("")];
    const stderr = expect.stringContaining(said);
    expect(await cli.run(words)).toMatchObject({ code: 4, stderr });
  }
  await proxy.stop();
});

test("A command that does not exist ends the work, and its event is ready again", async ({
  api,
  cli,
}) => {
  const inbox = await makeInbox(api);
  const { id } = await inbox.ingest({ raw: "1" });
  expect(await cli.run(["work", inbox.id, "--", "no-such-command"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("there is no such command"),
  });
  expect(await inbox.event(id)).toMatchObject({ state: "ready" });
});

test("What was done and not acknowledged counts as failed", async ({ api, cli, db }) => {
  const inbox = await makeInbox(api);
  const { id } = await inbox.ingest({ raw: "1" });
  const gate = await startHoldingTarget();
  const words = ["work", inbox.id, "--once", "--json", ...node("fetch(process.env.GATE)")];
  const working = cli.start(words, { environment: { GATE: gate.url } });
  await expect.poll(() => gate.held.length).toBe(1);
  await db.query("UPDATE inbox_events SET lease_id = 'lse_other' WHERE id = $1", [id]);
  gate.open();
  const ended = await working.ended;
  expect(ended.stdout).toContain('"done":0,"failed":1');
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining("was lost") });
  await gate.stop();
});

test("--once with a failing command exits with 1, and an empty inbox with 5", async ({
  api,
  cli,
  db,
  organization,
}) => {
  const inbox = await makeInbox(api);
  const words = ["work", inbox.id, "--once"];
  const idle = ["--idle", "1s", ...node("")];
  expect(await cli.run([...words, ...idle])).toMatchObject({ code: 5 });
  // A key that may not read the inbox may receive from it.
  const environment = {
    AGENT_INFRA_KEY: await makeKey(db, organization.id, { scopes: ["api.write"] }),
  };
  expect(await cli.run([...words, ...idle], { environment })).toMatchObject({ code: 5 });
  await inbox.ingest({ raw: "1" });
  // It does not wait for more events either.
  const failing = await cli.run([...words, "--idle", "1h", ...node("process.exit(9)")]);
  expect(failing).toMatchObject({ code: 1 });
});

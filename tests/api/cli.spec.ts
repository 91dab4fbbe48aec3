import { spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "../support/cli";
import { read } from "../support/documents";
import { plainEnvironment } from "../support/servers";
import { startTarget } from "../support/target";
import { listEvents, makeEndpoint } from "../support/webhooks";

/** The commands of `agent-infra` as processes; listen and work have tests of their own. */

test("Errors exit with their own codes, as text on stderr or as one JSON value on stdout", async ({
  api,
  cli,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const open = await makeEndpoint(api);
  const wrong = "svc_live_00000000000000000000000000000000000000";
  const cases: [words: string[], code: number, error: object][] = [
    [["tasks", "list", "--key", wrong], 3, { code: "invalid_api_key" }],
    [["listen", id], 3, { code: "forbidden" }],
    [["tasks", "next"], 3, { code: "unauthorized" }],
    [["tasks", "list"], 3, { code: "forbidden" }],
    [["trigger", "wh_none"], 1, { code: "resource_not_found" }],
    [["send", "nowhere", "--in", "1m"], 2, { code: "invalid_param", param: "url" }],
    [["send", "http://localhost", "--header", "Host: x"], 2, { code: "header_not_allowed" }],
    [["api", "POST", "/api/tasks", "--input", cli.file], 2, { code: "invalid_json" }],
    [["whoami", "--url", "http://127.0.0.1:9"], 4, { code: "network" }],
    [["whoami", "--url", `http://${wrong}@localhost`], 2, { code: "usage" }],
    [["whoami", "--url", `http://localhost?key=${wrong}`], 2, { code: "usage" }],
    [["listen", open.id, "--to", open.url], 2, { code: "usage" }],
    [["listen", open.id, "--to", open.url.replace("wh_", "whe_")], 2, { code: "usage" }],
    [["listen", "--to", "http://4046/hook"], 2, { code: "usage" }],
    [["send", "http://localhost", "--in", "10 minutes"], 2, { code: "usage" }],
    [["send", "http://localhost", "--in", "1m", "--at", "0"], 2, { code: "usage" }],
    [["trigger", open.id, "--method", "GET", "--data", "x"], 2, { code: "usage" }],
    [["work", "--concurrency", "500", "inbox_x", "cat"], 2, { code: "usage" }],
    [["work", "inbox_x", ""], 2, { code: "usage" }],
    [["tasks", "add", "x", "--key", ""], 2, { code: "usage" }],
    [["tasks", "add", "x", "--key", " "], 2, { code: "usage" }],
    [["no-such-command"], 2, { code: "usage" }],
    [[], 2, { code: "usage" }],
  ];
  await Promise.all(
    cases.map(async ([words, code, error]) => {
      const json = await cli.run([...words, "--json"]);
      expect.soft({ words, ...json }).toEqual({ words, code, stderr: "", stdout: json.stdout });
      expect.soft(JSON.parse(json.stdout), words.join(" ")).toMatchObject({ error });
      expect.soft(json.stdout).not.toContain(wrong);
    }),
  );
  for (const [words, code] of [...cases.slice(0, 1), ...cases.slice(-1)]) {
    const text = await cli.run(words);
    expect(text).toEqual({ code, stdout: "", stderr: expect.stringMatching(/\w+ \w+/) });
  }
});

test("A gateway without a service behind it exits with 4", async ({ cli }) => {
  for (const status of [502, 503, 504]) {
    const gateway = await startTarget((response) => void response.writeHead(status).end("None"));
    expect(await cli.run(["whoami", "--url", gateway.url])).toMatchObject({ code: 4 });
    await gateway.stop();
  }
});

test("A wrong key is named as the problem, and not repeated", async ({ cli }) => {
  const secret = "svc_live_00000000000000000000000000000000000000";
  const { stderr } = await cli.run(["whoami"], { environment: { AGENT_INFRA_KEY: secret } });
  expect(stderr).toContain("key");
  expect(stderr).toContain("agent-infra login");
  expect(stderr).not.toContain(secret);
});

test("login stores a key for its server only, readable by its owner only, until logout", async ({
  baseUrl,
  cli,
  key,
  organization,
}) => {
  const anonymous = await cli.run(["whoami", "--json"]);
  expect(anonymous.code).toBe(3);
  expect(JSON.parse(anonymous.stdout)).toMatchObject({ kind: "anonymous", base_url: baseUrl });

  const refused = await cli.run(["login", "--key", "svc_live_wrong"]);
  expect(refused.code).toBe(3);
  expect((await cli.run(["login", "--key", "-"], { input: `${key}\n` })).code).toBe(0);
  const file = path.join(cli.configFolder, "agent-infra/config.json");
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(fs.statSync(path.dirname(file)).mode & 0o777).toBe(0o700);

  // The server of the login is the default.
  const known = await cli.run(["whoami", "--json"], { environment: { AGENT_INFRA_URL: "" } });
  expect(JSON.parse(known.stdout)).toMatchObject({ organization_id: organization.id });
  const elsewhere = await startTarget((response) => void response.end("{}"));
  await cli.run(["whoami", "--url", elsewhere.url]);
  expect(elsewhere.received.map(({ headers }) => headers.authorization)).toEqual([undefined]);

  expect((await cli.run(["logout"])).code).toBe(0);
  expect(fs.readFileSync(file, "utf8")).not.toContain(key);
  expect((await cli.run(["whoami"])).code).toBe(3);
  await elsewhere.stop();
});

test("publish makes an artifact, shares it, and replaces its content", async ({
  api,
  cli,
  key,
}) => {
  const environment = { AGENT_INFRA_KEY: key };
  const file = path.join(cli.configFolder, "page.html");
  fs.writeFileSync(file, "<h1>One</h1>");
  const published = await cli.run(["publish", file, "--share", "--json"], { environment });
  const artifact = JSON.parse(published.stdout);
  expect(artifact).toMatchObject({ name: "page.html", format: "html", size: 12 });
  expect((await fetch(artifact.share_url)).status).toBe(200);

  const update = ["publish", "-", "--update", artifact.id, "--json"];
  const updated = await cli.run(update, { environment, input: "# Two" });
  expect(JSON.parse(updated.stdout)).toMatchObject({ id: artifact.id, format: "html", size: 5 });
  const raw = await api("GET", `/api/artifacts/${artifact.id}/raw`, { key });
  expect(raw.text).toBe("# Two");

  for (const [owner, survives_claim, note] of [
    [{ environment }, true, ""],
    [{}, false, "This link ends when the document is claimed.\n"],
  ] as const) {
    const { id } = JSON.parse((await cli.run(["publish", file, "--json"], owner)).stdout);
    const shared = await cli.run(["publish", file, "--update", id, "--share", "--json"], owner);
    expect(shared).toMatchObject({ code: 0, stderr: note });
    expect(JSON.parse(shared.stdout)).toMatchObject({ survives_claim });
  }

  const binary = await cli.run(["publish", "-"], { input: Buffer.from([0xff, 0xfe]) });
  expect(binary).toMatchObject({ code: 2, stderr: expect.stringContaining("not UTF-8") });
});

test("send schedules a request for later, with its method, headers and body", async ({ cli }) => {
  const before = Math.floor(Date.now() / 1000);
  const words = ["send", "https://example.com/hook", "--in", "1h30m", "--json"];
  const sent = await cli.run([...words, "--method", "PUT", "--header", "X-A: b", "--data", "-"], {
    input: "hello",
  });
  const message = JSON.parse(sent.stdout);
  expect(message).toMatchObject({ method: "PUT", headers: { "X-A": "b" }, body: "hello" });
  expect(message.scheduled_at - before).toBeGreaterThanOrEqual(5400);
  expect(message.scheduled_at - before).toBeLessThan(5460);
  const at = await cli.run(["send", "https://example.com", "--at", "2100-01-01T00:00Z", "--json"]);
  expect(JSON.parse(at.stdout).scheduled_at).toBe(4_102_444_800);
  const text = await cli.run(["send", "https://example.com", "--in", "1h"]);
  expect(text.stdout).toMatch(/\nIt is public\. Make it yours: http\S+\/claim\/msg_\S+\n$/);
});

test("tasks: add, list, next and done", async ({ cli, key }) => {
  const environment = { AGENT_INFRA_KEY: key };
  const run = (...words: string[]) => cli.run(["tasks", ...words], { environment });
  const added = await run(
    "add",
    "Write \x1b[31mit",
    "--priority",
    "high",
    "--label",
    "docs",
    "--json",
  );
  const { id } = JSON.parse(added.stdout);
  const [listed, leased] = [await run("list"), await run("next", "--json")];
  expect(listed.stdout).toContain(`${id}  high      Write \\x1b[31mit  [docs]`);
  const { task, lease } = JSON.parse(leased.stdout);
  expect(task.id).toBe(id);
  const done = await run("done", id, "--lease", lease.lease_id, "--json");
  expect(JSON.parse(done.stdout).labels).toEqual(["docs", "done"]);
  expect(await run("next")).toMatchObject({ code: 5, stdout: "No task is free.\n" });
  expect((await run("list", "--json")).stdout).toBe("");
  expect(JSON.parse((await run("list", "--all", "--json")).stdout)).toMatchObject({ id });
});

test("trigger signs its requests as Stripe and Slack do", async ({ api, cli }) => {
  const { id } = await makeEndpoint(api);
  for (const sample of ["stripe", "slack", "plain"])
    expect((await cli.run(["trigger", id, "--sample", sample, "--secret", "s"])).code).toBe(0);
  const { data } = await listEvents(api, id, { since: "wev_0" });
  expect(data.map(({ headers }) => headers)).toMatchObject([
    { "stripe-signature": expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/) },
    { "x-slack-signature": expect.stringMatching(/^v0=[0-9a-f]{64}$/) },
    { "x-hub-signature-256": expect.stringMatching(/^sha256=[0-9a-f]{64}$/) },
  ]);
  // Standard input keeps the secret out of the list of processes.
  const words = ["trigger", id, "--secret", "-"];
  expect((await cli.run(words, { input: "s\n" })).code).toBe(0);
  const { data: all } = await listEvents(api, id, { since: "wev_0" });
  const [signed, again] = all.slice(-2).map(({ headers }) => headers["x-hub-signature-256"]);
  expect(again).toBe(signed);
  expect((await cli.run(words, { input: "\n" })).code).toBe(2);
  // A GET has no body.
  expect((await cli.run(["trigger", id, "--method", "get", "--secret", "s"])).code).toBe(0);
  const last = (await listEvents(api, id, { since: "wev_0" })).data.at(-1);
  const digest = createHmac("sha256", "s").digest("hex");
  expect(last?.headers["x-hub-signature-256"]).toBe(`sha256=${digest}`);
  expect((await cli.run([...words, "--data", "-"], { input: "s" })).code).toBe(2);
});

test("Colours are for terminals: not for pipes, and not with NO_COLOR", async ({
  baseUrl,
  cli,
}) => {
  test.skip(spawnSync("script", ["--version"]).error !== undefined, "needs script(1)");
  const colours = (environment: Record<string, string>) => {
    const command = `"${process.execPath}" "${cli.file}" tasks add x`;
    const { stdout } = spawnSync("script", ["-qec", command, "/dev/null"], {
      env: { ...plainEnvironment(), TERM: "xterm", ...environment },
    });
    return stdout.toString().includes("\x1b[");
  };
  const environment = { AGENT_INFRA_URL: baseUrl };
  expect(colours(environment)).toBe(true);
  expect(colours({ ...environment, NO_COLOR: "1" })).toBe(false);
});

test("bash completes commands, options and the values of options", async ({ cli }) => {
  const { stdout: script } = await cli.run(["completion", "bash"]);
  const complete = (line: string) => {
    const words = line.split(" ");
    const { stdout } = spawnSync("bash", [
      "-c",
      `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _agent_infra; printf '%s ' "\${COMPREPLY[@]}"`,
      "bash",
      ...words,
    ]);
    return stdout.toString().trim();
  };
  expect(complete("agent-infra li")).toBe("listen");
  expect(complete("agent-infra --json tasks ")).toBe("next done list add help");
  expect(complete("agent-infra listen wh_x --t")).toBe("--to --timeout");
  expect(complete("agent-infra trigger wh_x --sample s")).toBe("stripe slack");
  expect(complete("agent-infra listen wh_x --to ")).toBe("");
  expect(complete("agent-infra work inbox_x -- tasks --l")).toBe("");
});

test("docs/cli.md and the completion scripts of zsh and fish name every command", async ({
  cli,
}) => {
  const namesIn = async (...words: string[]) => {
    const { stdout } = await cli.run([...words, "--help"]);
    const [, list = ""] = stdout.split("Commands:\n");
    const names = (list.split("\n\n")[0] ?? "").matchAll(/^ {2}(\w+)/gm);
    return Array.from(names, ([, name = ""]) => name).filter((name) => name !== "help");
  };
  const names = await namesIn();
  const rows = Array.from(
    read("docs/cli.md").matchAll(/^\| `agent-infra ([a-z ]*[a-z])/gm),
    ([, name = ""]) => name,
  );
  // Only a command with others in it needs to be asked for them.
  const commands = names.map(async (name) => {
    if (rows.includes(name)) return [name];
    return (await namesIn(name)).map((one) => `${name} ${one}`);
  });
  expect(rows.sort()).toEqual((await Promise.all(commands)).flat().sort());
  for (const shell of ["zsh", "fish"]) {
    const { stdout } = await cli.run(["completion", shell]);
    for (const name of names) expect(stdout).toContain(name);
  }
});

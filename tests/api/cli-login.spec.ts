import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { mergeTests } from "playwright/test";
import { type CommandLine, test as cliTest, expect } from "../support/cli";
import { type OAuth, test as oauthTest } from "../support/oauth";
import { pause, ROOT } from "../support/servers";
import { startTarget } from "../support/target";

/** Signing `agent-infra` in with OAuth; a person decides in the browser. */

const test = mergeTests(cliTest, oauthTest);

test("login signs in in the browser; four commands at once renew the token once; logout ends it", async ({
  api,
  cli,
  oauth,
  organization,
}) => {
  const login = cli.start(["login", "--no-browser", "--json"]);
  const request = await authorizationRequest(login.stderr);
  expect(request).toMatchObject({
    client_id: "agent-infra-cli",
    code_challenge_method: "S256",
    resource: `${oauth.baseUrl}/`,
  });
  // Another page on this machine cannot answer in the person's place.
  const stranger = new URL(request.redirect_uri ?? "");
  stranger.search = "?code=forged&state=guessed";
  expect((await fetch(stranger)).status).toBe(404);
  expect((await fetch(await oauth.decide(request))).status).toBe(200);
  const ended = await login.ended;
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(ended.stdout)).toMatchObject({
    kind: "access_token",
    organization_id: organization.id,
  });

  const before = storedGrant(cli, oauth);
  changeGrant(cli, oauth, { expires_at: 0 });
  const added = await Promise.all(
    ["One", "Two", "Three", "Four"].map((name) => cli.run(["tasks", "add", name, "--json"])),
  );
  expect(new Set(added.map(({ stdout }) => JSON.parse(stdout).organization_id))).toEqual(
    new Set([organization.id]),
  );
  const after = storedGrant(cli, oauth);
  const { rows } = await oauth.db.query("SELECT FROM oauth_access_tokens WHERE grant_id = $1", [
    JSON.parse(ended.stdout).key_id,
  ]);
  expect(rows).toHaveLength(2);
  expect(after.refresh_token).not.toBe(before.refresh_token);

  expect(await cli.run(["logout"])).toMatchObject({ code: 0, stderr: "" });
  const refused = await api("GET", "/api/me", { key: after.access_token });
  expect(refused.status).toBe(401);
});

test("A sign-in that was refused, or answered by another server, stores nothing", async ({
  cli,
  oauth,
}) => {
  const refused = cli.start(["login", "--no-browser"]);
  const request = await authorizationRequest(refused.stderr);
  await fetch(await oauth.decide(request, { decision: "deny" }));
  expect(await refused.ended).toMatchObject({ code: 3 });

  const mixedUp = cli.start(["login", "--no-browser"]);
  const response = await oauth.decide(await authorizationRequest(mixedUp.stderr));
  response.searchParams.set("iss", "https://attacker.example");
  await fetch(response);
  expect(await mixedUp.ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("another service"),
  });
  expect((await cli.run(["whoami"])).code).toBe(3);
});

test("A sign-in that cannot be stored ends at the service", async ({ cli, oauth }) => {
  // A file, where nothing can have a folder.
  const environment = { XDG_CONFIG_HOME: cli.file };
  const login = cli.start(["login", "--no-browser"], { environment });
  await fetch(await oauth.decide(await authorizationRequest(login.stderr)));
  expect(await login.ended).toMatchObject({ code: 1, stdout: "" });
  const { rows } = await oauth.db.query(
    `SELECT revoked_at IS NOT NULL AS has_ended FROM api_keys
     WHERE organization_id = $1 AND kind = 'oauth_grant'`,
    [oauth.organization.id],
  );
  expect(rows).toEqual([{ has_ended: true }]);
});

test("A sign-in that cannot be renewed is reported as it is, and not tried again", async ({
  baseUrl,
  cli,
}) => {
  const refusal = { error: "unauthorized_client", error_description: "Not for this client." };
  const cases: [status: number, body: object, said: string][] = [
    [400, refusal, "Not for this client."],
    [200, {}, 'The response of the service has no "access_token".'],
  ];
  for (const [status, body, said] of cases) {
    const endpoint = await startTarget((response) => {
      response.writeHead(status).end(JSON.stringify(body));
    });
    const tokens = { access_token: "access", refresh_token: "refresh", expires_at: 0 };
    storeGrant(cli, baseUrl, { token_endpoint: endpoint.url, ...tokens });
    const ended = await cli.run(["whoami"]);
    expect(ended).toEqual({ code: 1, stdout: "", stderr: `agent-infra: ${said}\n` });
    expect(endpoint.received).toHaveLength(1);
    await endpoint.stop();
  }
});

test("api sends the Authorization that it is given in place of the stored token", async ({
  cli,
}) => {
  const service = await startTarget((response) => void response.end("{}"));
  storeGrant(cli, service.url, { access_token: "stored", expires_at: 4_000_000_000 });
  const words = ["api", "GET", "/api/me", "--url", service.url];
  await cli.run(words);
  await cli.run([...words, "-H", "Authorization: Bearer given"]);
  const sent = service.received.map(({ headers }) => headers.authorization);
  expect(sent).toEqual(["Bearer stored", "Bearer given"]);
  await service.stop();
});

test("A lock is taken over from a killed process of this host, and after half a minute's wait from one of another host, whatever the clock says", async ({
  cli,
}) => {
  const lock = `${configFile(cli)}.locked`;
  const hold = (host: string) => {
    const holder = path.join(lock, `${2 ** 30}@${host}@1`); // no process has that ID
    fs.mkdirSync(holder, { recursive: true });
    return holder;
  };
  hold(os.hostname());
  expect(await cli.run(["logout"])).toMatchObject({ code: 0 });

  fs.utimesSync(hold("another-host"), 0, 0);
  const clock = path.join(ROOT, "tests/support/moved-clock.mjs");
  const environment = { NODE_OPTIONS: `--import ${clock}`, PASSED_MS: "31000" };
  const waiting = cli.start(["logout"], { environment });
  await pause(1500);
  expect(waiting.child.exitCode).toBeNull();
  const caught = () => fs.readFileSync(`/proc/${waiting.child.pid}/status`, "utf8");
  // SIGUSR2 is the twelfth.
  await expect.poll(caught).toMatch(/SigCgt:\t[0-9a-f]+[89a-f][0-9a-f]{2}\n/);
  waiting.child.kill("SIGUSR2");
  expect(await waiting.ended).toMatchObject({ code: 0 });
  expect(fs.readdirSync(path.dirname(lock))).toEqual(["config.json"]);
});

test("A folder in which no lock can be made is an error", async ({ cli }) => {
  // It has no new folders: EPERM, as if another process had the lock.
  fs.symlinkSync("/dev/pts", path.dirname(configFile(cli)));
  expect(await cli.run(["logout"])).toMatchObject({ code: 1 });
});

test("After the grant has ended, a command says to log in again", async ({ api, cli, oauth }) => {
  const login = cli.start(["login", "--no-browser"]);
  await fetch(await oauth.decide(await authorizationRequest(login.stderr)));
  await login.ended;
  await api("DELETE", "/api/me/key", { key: storedGrant(cli, oauth).access_token });
  changeGrant(cli, oauth, { expires_at: 0 });
  expect(await cli.run(["whoami"])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("agent-infra login"),
  });
});

test("login --device signs in with a code that the person types elsewhere, unless it was refused or has expired", async ({
  cli,
  oauth,
  organization,
}) => {
  const login = cli.start(["login", "--device", "--json"]);
  const code = await userCode(login.stderr);
  expect(login.stderr()).toContain(`${oauth.baseUrl}/oauth/device?user_code=${code}`);
  expect(await oauth.decideDevice(code.toLowerCase())).toMatchObject({ status: 303 });
  const ended = await login.ended;
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(ended.stdout)).toMatchObject({ organization_id: organization.id });
  expect((await cli.run(["whoami"])).code).toBe(0);

  const refused = cli.start(["login", "--device"]);
  const late = cli.start(["login", "--device"]);
  await oauth.decideDevice(await userCode(refused.stderr), { decision: "deny" });
  await oauth.db.query(
    "UPDATE oauth_device_codes SET expires_at = unix_now() WHERE user_code = $1",
    [(await userCode(late.stderr)).replace("-", "")],
  );
  expect(await refused.ended).toMatchObject({ code: 3, stdout: "" });
  expect(await late.ended).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("Nobody entered the code in time."),
  });
});

/** The code that `login --device` asks the person to type. */
async function userCode(stderr: () => string): Promise<string> {
  await expect.poll(stderr).toMatch(/enter [A-Z]{4}-[A-Z]{4}/);
  return /[A-Z]{4}-[A-Z]{4}/.exec(stderr())?.[0] ?? "";
}

/** The parameters of the page that the command asks the person to open. */
async function authorizationRequest(stderr: () => string): Promise<Record<string, string>> {
  await expect.poll(stderr).toContain("--device");
  const url = /http\S+\/oauth\/authorize\?\S+/.exec(stderr())?.[0] ?? "";
  return Object.fromEntries(new URL(url).searchParams);
}

function storedGrant(cli: CommandLine, { baseUrl }: OAuth) {
  return JSON.parse(fs.readFileSync(configFile(cli), "utf8")).servers[baseUrl].oauth;
}

function storeGrant(cli: CommandLine, baseUrl: string, oauth: object): void {
  fs.mkdirSync(path.dirname(configFile(cli)), { recursive: true });
  fs.writeFileSync(configFile(cli), JSON.stringify({ servers: { [baseUrl]: { oauth } } }));
}

function changeGrant(cli: CommandLine, { baseUrl }: OAuth, changes: object): void {
  const config = JSON.parse(fs.readFileSync(configFile(cli), "utf8"));
  Object.assign(config.servers[baseUrl].oauth, changes);
  fs.writeFileSync(configFile(cli), JSON.stringify(config));
}

function configFile({ configFolder }: CommandLine): string {
  return path.join(configFolder, "agent-infra/config.json");
}

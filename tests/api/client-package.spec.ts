import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { examplesOf } from "@/lib/docs/examples";
import manifest from "@/packages/client/package.json" with { type: "json" };
import { expect, test } from "../support/fixtures";
import { everyOperation } from "../support/operations";
import { makeTemporaryFolder, plainEnvironment, ROOT } from "../support/servers";

/** The package as the server offers it, installed into an empty folder without a registry. */

function run(
  cwd: string,
  command: string,
  args: string[],
  environment: Record<string, string> = {},
) {
  const env = { ...plainEnvironment(), ...environment };
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env,
    encoding: "utf8" as const,
    timeout: 120_000,
  });
  return { status, stdout, stderr };
}

function expectDone({ status, stdout, stderr }: ReturnType<typeof run>): string {
  expect(status, `${stdout}\n${stderr}`).toBe(0);
  return stdout;
}

const RESOLUTIONS = {
  // For ES modules and for CommonJS. A bundler's takes the same files as that of ES modules.
  node16: ["--module", "node16"],
  // What TypeScript 5 uses for CommonJS when nothing else is set.
  node10: ["--module", "commonjs", "--moduleResolution", "node10"],
};

function compile(folder: string, resolution: keyof typeof RESOLUTIONS, files: string[]) {
  const compiler = resolution === "node10" ? "typescript-5" : "typescript";
  const tsc = path.join(ROOT, "node_modules", compiler, "bin/tsc");
  const options = [
    ...["--noEmit", "--strict", "--exactOptionalPropertyTypes"],
    ...["--target", "es2022", "--lib", "es2022,dom,dom.iterable,dom.asynciterable"],
    ...["--typeRoots", path.join(ROOT, "node_modules/@types"), "--types", "node"],
    ...RESOLUTIONS[resolution],
  ];
  return run(folder, process.execPath, [tsc, ...options, ...files]);
}

const USE = `
import { createClient } from "agent-infrastructure-client";
const client = createClient();
await client.tasks.create({ name: "Forgotten" });
await client.nextTask({ holder: "me" }); // which does not keep the process running
const hook = await client.webhooks.create({ name: "Hook" });
await client.POST("/api/catch/{id}", { params: { path: { id: hook.id } }, body: "hello" });
for await (const event of client.events(hook.id, { since: "wev_0" })) {
  console.log(event.body, event.organization_id);
  break;
}
`;

const USE_COMMONJS = `
const { ApiError, createClient } = require("agent-infrastructure-client");
createClient()
  .tasks.get("tsk_none")
  .catch((error) => console.log(error instanceof ApiError, error.code));
`;

const COMMONJS = `
import { type ErrorCode, type Task, type TaskCreate, ApiError, createClient } from "agent-infrastructure-client";
const body: TaskCreate = { name: "x" };
export const made: Promise<Task> = createClient().tasks.create(body);
export function isGone(error: unknown): boolean {
  const code: ErrorCode = "resource_not_found";
  return error instanceof ApiError && error.code === code;
}
`;

const WRONG = `import { createClient, type ErrorCode, type Task } from "agent-infrastructure-client";
const client = createClient();
const { data } = await client.POST("/api/tasks", { body: { name: "x", priority: "high" } });
const id: string = data.id;
const params = { path: { id } };
for await (const task of client.list("/api/tasks")) task satisfies Task;
for await (const task of client.tasks.list({ priority: ["high"] })) task satisfies Task;
void client.tasks.list({ blocked: true, include: "total_count" });
const labels: readonly string[] = ["docs"];
void client.nextTask({ holder: "me", labels });
const unset: undefined = undefined;
void createClient({ fetch: unset, userAgent: unset, timeoutMs: unset, maxRetries: unset });
void client.tasks.get(id, { timeoutMs: unset, maxRetries: unset, headers: unset });
(await client.webhooks.replays.create(id, { url: "https://example.com" })).pending satisfies number;
(await client.webhooks.forward.get(id)).match satisfies Record<string, string | number | boolean | null> | null;
const { data: bytes } = await client.GET("/api/artifacts/{id}/raw", { params, parseAs: "arrayBuffer" });
bytes satisfies ArrayBuffer;
(await client.DELETE("/api/tasks/{id}", { params })).data satisfies undefined;
void client.POST("/api/tasks", { body: { nam: "x" } }); // wrong
void client.POST("/api/tasks", { body: { name: "x", nope: 1 } }); // wrong
void client.POST("/api/tasks", { body: { name: "x", priority: "urgent" } }); // wrong
void client.POST("/api/tasks"); // wrong
void client.POST("/api/taks", { body: { name: "x" } }); // wrong
void client.GET("/api/tasks/{id}"); // wrong
void client.GET("/api/tasks/{id}", { params: { path: { ID: id } } }); // wrong
void client.GET("/api/tasks", { params: { query: { labels: ["x"] } } }); // wrong
void client.GET("/api/tasks", { body: {} }); // wrong
void client.list("/api/tasks/{id}", { params }); // wrong
data satisfies { nope: string }; // wrong
bytes.nope; // wrong
void client.nextTask({}); // wrong
void client.tasks.create({ nam: "x" }); // wrong
void client.tasks.create(); // wrong
void client.tasks.update({ name: "x" }); // wrong
void client.tasks.list({ priority: "urgent" }); // wrong
void client.tasks.get(id, { ifMatches: data }); // wrong
(await client.tasks.list()).data[0] satisfies { nope: string } | undefined; // wrong
void client.webhooks.events.get(id); // wrong
(await client.artifacts.getRaw(id)).byteLength;
(await client.artifacts.getRaw(id)).nope; // wrong
(await client.inboxes.replies.read(id, id, id))?.byteLength;
(await client.inboxes.replies.read(id, id, id)).byteLength; // wrong
"resource_gone" satisfies ErrorCode; // wrong
void client.work(id, (event) => event.nope); // wrong
`;

test("The server's own package installs without a registry, runs in plain Node and has types for ES modules and CommonJS, which every example fits", async ({
  baseUrl,
  key,
}) => {
  const folder = makeTemporaryFolder();
  try {
    fs.writeFileSync(path.join(folder, "package.json"), '{"private":true,"type":"module"}');
    const address = `${baseUrl}/client.tgz`;
    const noRegistry = {
      npm_config_registry: "http://127.0.0.1:9/",
      npm_config_cache: path.join(folder, "npm-cache"),
      npm_config_userconfig: path.join(folder, "npmrc"),
      npm_config_audit: "false",
      npm_config_fund: "false",
      npm_config_update_notifier: "false",
    };
    expectDone(run(folder, "npm", ["install", address], noRegistry));
    const modules = path.join(folder, "node_modules");
    const installed = fs.readdirSync(modules).filter((name) => !name.startsWith("."));
    expect(installed).toEqual(["agent-infrastructure-client"]);
    const files = fs
      .readdirSync(path.join(modules, "agent-infrastructure-client"), { recursive: true })
      .map(String);
    expect(files).toEqual(
      expect.arrayContaining([
        ...["LICENSE", "README.md", "dist/index.js", "dist/index.d.ts", "dist/cli.js"],
        ...["dist/cjs/index.js", "dist/cjs/index.d.ts", "dist/third-party-licenses.txt"],
      ]),
    );
    expect(files.filter((file) => !/^(dist|LICENSE$|README|package\.json$)/.test(file))).toEqual(
      [],
    );
    const tarball = await fetch(address);
    expect((await tarball.arrayBuffer()).byteLength).toBeLessThan(130_000);

    fs.writeFileSync(path.join(folder, "use.js"), USE);
    const environment = { AGENT_INFRA_URL: baseUrl, AGENT_INFRA_KEY: key };
    const output = run(folder, process.execPath, ["use.js"], environment);
    expect(expectDone(output)).toMatch(/^hello org_/);
    expect(output.stderr).toBe("");
    fs.writeFileSync(path.join(folder, "use.cjs"), USE_COMMONJS);
    const required = run(folder, process.execPath, ["use.cjs"], environment);
    expect(expectDone(required)).toBe("true resource_not_found\n");
    expect(expectDone(run(folder, "node_modules/.bin/agent-infra", ["--version"]))).toBe(
      `${manifest.version}\n`,
    );
    const who = run(folder, "node_modules/.bin/agent-infra", ["whoami", "--json"], {
      ...environment,
      XDG_CONFIG_HOME: folder,
    });
    expect(expectDone(who)).toContain("org_");

    for (const document of ["packages/client/README.md", "docs/client.md", "docs/inboxes.md"]) {
      const text = fs.readFileSync(path.join(ROOT, document), "utf8");
      const examples = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code);
      fs.writeFileSync(path.join(folder, `${path.parse(document).name}.ts`), examples.join("\n"));
    }
    fs.mkdirSync(path.join(folder, "examples"));
    const examples = everyOperation.map((operation) => {
      const file = `examples/${operation.id}.ts`;
      fs.writeFileSync(path.join(folder, file), examplesOf(operation, baseUrl).typescript);
      return file;
    });
    fs.writeFileSync(path.join(folder, "wrong.ts"), WRONG);
    const wrongLines = WRONG.split("\n").flatMap((line, index) =>
      line.endsWith("// wrong") ? [index + 1] : [],
    );
    fs.writeFileSync(path.join(folder, "required.cts"), COMMONJS);
    expectDone(compile(folder, "node10", ["required.cts"]));
    const { stdout } = compile(folder, "node16", [
      ...["README.ts", "client.ts", "inboxes.ts", "wrong.ts", "required.cts"],
      ...examples,
    ]);
    const errors = [...stdout.matchAll(/^(\S.*?)\((\d+),/gm)].map(([, ...place]) =>
      place.join(":"),
    );
    expect([...new Set(errors)], stdout).toEqual(wrongLines.map((line) => `wrong.ts:${line}`));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});

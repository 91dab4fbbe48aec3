import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "../support/fixtures";
import { offlineNpm, packClient } from "../support/packed-client";
import { makeTemporaryFolder, plainEnvironment, ROOT } from "../support/servers";

/** The package as npm packs it, installed into an empty folder without a registry. */

function run(
  cwd: string,
  command: string,
  args: string[],
  environment: Record<string, string> = {},
) {
  const env = { ...plainEnvironment(), ...environment };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: "utf8" });
  return { status, stdout, stderr };
}

function expectDone({ status, stdout, stderr }: ReturnType<typeof run>): string {
  expect(status, `${stdout}\n${stderr}`).toBe(0);
  return stdout;
}

function compile(folder: string, resolution: string, files: string[]) {
  const tsc = path.join(ROOT, "node_modules/typescript/bin/tsc");
  const options = [
    ...["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom,dom.iterable"],
    ...["--typeRoots", path.join(ROOT, "node_modules/@types"), "--types", "node"],
    ...(resolution === "node16"
      ? ["--module", "node16"]
      : ["--module", "esnext", "--moduleResolution", "bundler"]),
  ];
  return run(folder, process.execPath, [tsc, ...options, ...files]);
}

const USE = `
import { createClient } from "agent-infrastructure-client";
const client = createClient();
const { data: hook } = await client.POST("/api/webhooks", { body: { name: "Hook" } });
await client.POST("/api/catch/{id}", { params: { path: { id: hook.id } }, body: "hello" });
for await (const event of client.events(hook.id, { since: "wev_0" })) {
  console.log(event.body, event.organization_id);
  break;
}
`;

const WRONG = `import { createClient, type components } from "agent-infrastructure-client";
const client = createClient();
const { data } = await client.POST("/api/tasks", { body: { name: "x", priority: "high" } });
const id: string = data.id;
const params = { path: { id } };
for await (const task of client.list("/api/tasks")) task satisfies components["schemas"]["Task"];
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
void client.work(id, (event) => event.nope); // wrong
`;

test("The package installs without a registry, runs in plain Node and has types for both resolutions", ({
  baseUrl,
  key,
}) => {
  const folder = makeTemporaryFolder();
  try {
    const packed = packClient(folder);
    const files = packed.files.map((file) => file.path);
    expect(files).toEqual(
      expect.arrayContaining([
        ...["LICENSE", "README.md", "dist/index.js", "dist/index.d.ts", "dist/cli.js"],
        "dist/third-party-licenses.txt",
      ]),
    );
    expect(files.filter((file) => !/^(dist\/|LICENSE$|README|package\.json$)/.test(file))).toEqual(
      [],
    );
    expect(packed.size).toBeLessThan(150_000);

    fs.writeFileSync(path.join(folder, "package.json"), '{"private":true,"type":"module"}');
    expectDone(run(folder, "npm", ["install", `./${packed.filename}`], offlineNpm(folder)));
    const installed = fs.readdirSync(path.join(folder, "node_modules"));
    expect(installed.filter((name) => !name.startsWith("."))).toEqual([
      "agent-infrastructure-client",
    ]);

    fs.writeFileSync(path.join(folder, "use.js"), USE);
    const environment = { AGENT_INFRA_URL: baseUrl, AGENT_INFRA_KEY: key };
    const output = run(folder, process.execPath, ["use.js"], environment);
    expect(expectDone(output)).toMatch(/^hello org_/);
    expect(output.stderr).toBe("");
    const who = run(folder, "node_modules/.bin/agent-infra", ["whoami", "--json"], {
      ...environment,
      XDG_CONFIG_HOME: folder,
    });
    expect(expectDone(who)).toContain("org_");

    for (const document of ["packages/client/README.md", "docs/client.md"]) {
      const text = fs.readFileSync(path.join(ROOT, document), "utf8");
      const examples = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code);
      fs.writeFileSync(path.join(folder, `${path.parse(document).name}.ts`), examples.join("\n"));
    }
    fs.writeFileSync(path.join(folder, "wrong.ts"), WRONG);
    const wrongLines = WRONG.split("\n").flatMap((line, index) =>
      line.endsWith("// wrong") ? [index + 1] : [],
    );
    for (const resolution of ["node16", "bundler"]) {
      const { stdout } = compile(folder, resolution, ["README.ts", "client.ts", "wrong.ts"]);
      const errors = [...stdout.matchAll(/^(\S.*?)\((\d+),/gm)].map(([, ...place]) =>
        place.join(":"),
      );
      expect([...new Set(errors)], stdout).toEqual(wrongLines.map((line) => `wrong.ts:${line}`));
    }
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});

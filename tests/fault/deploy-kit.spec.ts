import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { environment as variables } from "@/lib/config/environment";
import { expectStatus } from "../support/expectations";
import { expect, test } from "../support/fault-fixtures";
import { randomText } from "../support/keys";
import { packServer } from "../support/packed-server";
import { freePort, launchServer, ROOT, waitUntilHealthy } from "../support/servers";

/** `nobody` on Debian. */
const NOBODY = 65_534;

test("The contents of the image are under 250 MB, and run as a user who can write nothing", async ({
  folder,
  makeEmptyDatabase,
}) => {
  const root = path.join(folder, "app");
  packServer(root);
  expect(sizeOf(root)).toBeLessThan(250_000_000);
  for (const name of ["typescript", "esbuild", "@next/swc-linux-x64-gnu", "playwright"]) {
    expect(fs.existsSync(path.join(root, "node_modules", name)), name).toBe(false);
  }
  // Root could write anywhere.
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) spawnSync("chmod", ["-R", "a-w", root]);

  const server = launchServer(
    ["scripts/start.mjs"],
    await freePort(),
    { DATABASE_URL: await makeEmptyDatabase(), SERVER_SECRET: randomText(40) },
    { cwd: root, ...(isRoot && { uid: NOBODY }) },
  );
  try {
    await waitUntilHealthy(server);
    const { api } = server;
    for (const page of ["/", "/sign-in", "/docs", "/readyz", "/openapi.json"]) {
      expectStatus(await api("GET", page, { headers: { accept: "text/html" } }), 200);
    }
    const { body: artifact } = await api("POST", "/api/artifacts", {
      body: { name: "x", content: "# Title", format: "markdown" },
    });
    expectStatus(await api("GET", `/artifacts/${artifact.id}/view`), 200);
    expect(server.output()).not.toMatch(/EACCES|EROFS|Error:/);
  } finally {
    await server.stop();
    if (!isRoot) spawnSync("chmod", ["-R", "u+w", root]);
  }
});

test("systemd accepts the unit", () => {
  test.skip(!fs.existsSync("/usr/bin/systemd-analyze"), "systemd-analyze is not installed");
  const unit = "deploy/systemd/agent-infrastructure@.service";
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", unit], {
    cwd: ROOT,
    encoding: "utf8",
  });
  expect(stderr.split("\n").filter((line) => line.includes("agent-infrastructure@"))).toEqual([]);
  expect(status).toBe(0);
});

test("The kit names only settings and scripts that exist", () => {
  const read = (name: string) => fs.readFileSync(path.join(ROOT, "deploy", name), "utf8");
  const scripts = Object.keys(JSON.parse(fs.readFileSync("package.json", "utf8")).scripts);
  const texts = ["Dockerfile", "compose.yaml", "systemd/agent-infrastructure@.service"].map(read);
  for (const text of texts) {
    for (const [, script = ""] of text.matchAll(/npm run ([\w:-]+)/g)) {
      expect(scripts).toContain(script);
    }
  }
  const known = [...Object.keys(variables), "POSTGRES_PASSWORD", "COMMIT"];
  for (const [, name = ""] of read("compose.yaml").matchAll(/\$\{([A-Z_]+)|^ {4}([A-Z_]+):/gm)) {
    if (name !== "") expect(known).toContain(name);
  }
  expect(fs.existsSync(path.join(ROOT, "scripts/start.mjs"))).toBe(true);
});

function sizeOf(folder: string): number {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + fs.statSync(path.join(parentPath, name)).size, 0);
}

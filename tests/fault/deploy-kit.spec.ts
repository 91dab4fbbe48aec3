import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { parseYaml } from "@redocly/openapi-core";
import { config, parseConfig } from "@/lib/platform/config/config";
import { environment as variables } from "@/lib/platform/config/environment";
import { forwardedAddress } from "@/lib/platform/http/address";
import { connectionsPerProcess, PROCESSES_MAX } from "@/server/processes";
import { expectStatus } from "../support/expectations";
import { expect, test } from "../support/fault-fixtures";
import { randomText } from "../support/keys";
import { packServer } from "../support/packed-server";
import {
  freePort,
  launchServer,
  ROOT,
  type RunningServer,
  waitUntilHealthy,
} from "../support/servers";

const UNIT = "systemd/agent-infrastructure@.service";
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
  // Loaded only to export traces.
  const exporters = fs
    .readdirSync(path.join(root, "dist"))
    .filter((name) => /^open-telemetry-/.test(name));
  expect(exporters).not.toEqual([]);
  for (const name of exporters) fs.rmSync(path.join(root, "dist", name));
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
    const bin = path.join(folder, "bin");
    fs.mkdirSync(bin);
    fs.symlinkSync(process.execPath, path.join(bin, "node"));
    for (const check of healthChecks()) expect(run(check, server, bin), String(check)).toBe(0);
    await server.stop();
    for (const check of healthChecks()) expect(run(check, server, bin), String(check)).toBe(1);
  } finally {
    await server.stop();
    if (!isRoot) spawnSync("chmod", ["-R", "u+w", root]);
  }
});

/** The commands that Docker and Compose run in a container and systemd on a machine, with their arguments. */
function healthChecks(): string[][] {
  const [, inImage = ""] = /^HEALTHCHECK [\s\S]*?CMD (\[.*\])$/m.exec(read("Dockerfile")) ?? [];
  const { app1, app2 } = readCompose().services;
  const [, afterStart = ""] = /^ExecStartPost=\/bin\/sh -c '(.*)'$/m.exec(read(UNIT)) ?? [];
  return [
    JSON.parse(inImage),
    ...[app1, app2].map(({ healthcheck }) => healthcheck.test.slice(1)),
    ["/bin/sh", "-c", afterStart.replace("%i", "3000")],
  ];
}

/** The exit code of a command that asks the server on its port, where only the programs in `bin` are installed. */
function run([program = "", ...argv]: string[], { baseUrl }: RunningServer, bin: string) {
  const { port } = new URL(baseUrl);
  const given = argv.map((argument) => argument.replace(":3000", `:${port}`));
  return spawnSync(program, given, { env: { ...process.env, PATH: bin, PORT: port } }).status;
}

test("Compose replaces a server without changing its address, and mounts files that exist", () => {
  const { services, networks } = readCompose();
  const addresses = [services.app1, services.app2, services.nginx].map(
    ({ networks }) => networks.internal.ipv4_address,
  );
  expect(new Set(addresses).size).toBe(3);
  const prefix = networks.internal.ipam.config[0].subnet.replace(/0\/24$/, "");
  for (const address of addresses) expect(address.startsWith(prefix), address).toBe(true);
  for (const { build } of [services.app1, services.app2]) {
    expect(fs.existsSync(path.join(ROOT, "deploy", build.context, build.dockerfile))).toBe(true);
  }
  const [mounted = ""] = services.nginx.volumes[0].split(":");
  expect(fs.existsSync(path.join(ROOT, "deploy", mounted)), mounted).toBe(true);
});

test("In Compose only nginx says where a request comes from", () => {
  const { app1, nginx } = readCompose().services;
  const { trustedProxies } = config();
  const written = String(app1.environment.TRUSTED_PROXIES);
  const [, byDefault] = /^\$\{TRUSTED_PROXIES:-(.*)\}$/.exec(written) ?? [];
  const parsed = parseConfig({ ...process.env, TRUSTED_PROXIES: byDefault });
  Object.assign(config(), { trustedProxies: parsed.trustedProxies });
  // nginx adds its peer to what the client sent.
  const through = (peer: string) =>
    forwardedAddress(nginx.networks.internal.ipv4_address, `198.51.100.1, ${peer}`);
  expect(through("203.0.113.7")).toBe("203.0.113.7");
  // Docker's gateway, from which clients may seem to come.
  expect(through("172.30.0.1")).toBe("172.30.0.1");
  expect(forwardedAddress("172.30.0.1", "198.51.100.1")).toBe("172.30.0.1");
  Object.assign(config(), { trustedProxies });
});

test("The Postgres of Compose has connections for two servers on any machine", () => {
  const [, allowed = ""] = /max_connections=(\d+)/.exec(read("compose.yaml")) ?? [];
  const settings = { webConcurrency: undefined, databasePoolSize: undefined };
  // The leader has a pool too. Each other process has one more for health checks, and one to listen.
  const opened = Array.from({ length: PROCESSES_MAX }, (_, index) => {
    const processes = index + 1;
    return connectionsPerProcess(settings, processes) * (processes + 1) + 2 * processes;
  });
  const reserved = 3; // by Postgres, for superusers
  expect(2 * Math.max(...opened)).toBeLessThanOrEqual(Number(allowed) - reserved);
});

test("No container of Compose fills the disk with its log", () => {
  const drivers = Object.values(readCompose().services).map(({ logging }) => logging?.driver);
  expect(drivers).toEqual(["local", "local", "local", "local"]);
});

test("The settings that an operator writes leave each server on its address and port", () => {
  const { app1 } = readCompose().services;
  expect(app1.environment).toMatchObject({ HOST: "0.0.0.0", PORT: 3000 });
  const [, command = ""] = /^ExecStart=(.*)$/m.exec(read(UNIT)) ?? [];
  const shown = command
    .replace("%i", "3001")
    .replace("/usr/bin/node scripts/start.mjs", "printenv PORT HOST");
  const env = { ...process.env, PORT: "3000", HOST: "0.0.0.0" };
  const { stdout } = spawnSync("sh", ["-c", shown], { env, encoding: "utf8" });
  expect(stdout).toBe("3001\n127.0.0.1\n");
});

test("Only the owner can read the other settings files, and an existing one of systemd is kept", ({
  folder,
}) => {
  const [example = ""] = /install .*$/m.exec(read("../.env.example")) ?? [];
  const [settings = ""] = /test -e .*$/m.exec(read(UNIT)) ?? [];
  fs.copyFileSync(path.join(ROOT, ".env.example"), path.join(folder, ".env.example"));
  const script = `umask 022; ${example}
    ${settings.replaceAll("/etc/", "")}; echo X=1 >> agent-infrastructure.env
    ${settings.replaceAll("/etc/", "")}; cat agent-infrastructure.env`;
  const { stdout, stderr } = spawnSync("sh", ["-ec", script], { cwd: folder, encoding: "utf8" });
  expect([stdout, stderr]).toEqual(["X=1\n", ""]);
  for (const name of [".env", "agent-infrastructure.env"]) {
    expect(fs.statSync(path.join(folder, name)).mode & 0o777, name).toBe(0o600);
  }
});

test("Compose's secrets are written once, for their owner alone", ({ folder }) => {
  const file = path.join(folder, ".env");
  const [commands = ""] = /test -e .*?deploy\/\.env\)/s.exec(read("compose.yaml")) ?? [];
  const script = commands.replaceAll(/^#/gm, "").replaceAll("deploy/.env", file);
  const written = [1, 2].map(() => {
    expect(spawnSync("sh", ["-ec", script], { encoding: "utf8" }).stderr).toBe("");
    return fs.readFileSync(file, "utf8");
  });
  expect(written[1]).toBe(written[0]);
  expect(written[0]).toMatch(
    /^BASE_URL=.*\nSERVER_SECRET=\w{64}\nAGENT_AUTH_SECRET=\w{64}\nPOSTGRES_PASSWORD=\w{64}\n$/,
  );
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
});

test("The image is built without files that hold secrets, such as the one of Compose", () => {
  const [, secrets = ""] = /^#.* > (\S+\.env)\)$/m.exec(read("compose.yaml")) ?? [];
  expect(secrets).toBe("deploy/.env");
  for (const file of [secrets, ".env", ".env.local", "packages/client/.env"]) {
    expect(isLeftOut(file), file).toBe(true);
  }
  expect(isLeftOut("deploy/compose.yaml")).toBe(false);
  expect(isLeftOut("lib/platform/config/environment.ts")).toBe(false);
});

/** Whether Docker leaves a file out of the build. A pattern begins at the root; `**` is any number of folders. */
function isLeftOut(file: string): boolean {
  return read("../.dockerignore")
    .trim()
    .split("\n")
    .some((pattern) => {
      const parts = pattern
        .split("/")
        .map((part) =>
          part === "**" ? "([^/]+/)*" : `${part.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}/`,
        );
      return new RegExp(`^${parts.join("")}`).test(`${file}/`);
    });
}

test("systemd accepts the unit", () => {
  test.skip(!fs.existsSync("/usr/bin/systemd-analyze"), "systemd-analyze is not installed");
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", `deploy/${UNIT}`], {
    cwd: ROOT,
    encoding: "utf8",
  });
  expect(stderr.split("\n").filter((line) => line.includes("agent-infrastructure@"))).toEqual([]);
  expect(status).toBe(0);
});

test("An upgrade under systemd stops at a step that fails, and keeps the release before it", ({
  folder,
}) => {
  const unit = read(UNIT).replaceAll("/opt/agent-infrastructure", folder);
  const [, used = ""] = /^WorkingDirectory=(.*)$/m.exec(unit) ?? [];
  const commands = [...unit.matchAll(/^# {3}(.*)$/gm)].map(([, command]) => command);
  /** What is restarted, on which release of which, and the releases that are left. */
  const upgrade = (failing: string) => {
    const script = `useradd() { :; }; install() { :; }; cp() { :; }; node() { [ "$2" != ${failing} ]; }
      npm() { if [ "$2" = pack ]; then mkdir -p "$4"; fi; }
      systemctl() { echo "$2 $(readlink ${used}) of" $(ls ${folder}/releases); [ "$2" != ${failing} ]; }
      ${commands.join("\n")}
      ls ${folder}/releases`;
    // As in a terminal, which goes on with the next line.
    const { stdout, stderr } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
    expect(stderr).toBe("");
    const [started, ...restarted] = stdout.trim().split("\n");
    expect(started).toBe("--now releases/1 of 1");
    fs.rmSync(path.join(folder, "releases"), { recursive: true });
    return restarted;
  };
  const kept = ["1", "2"];
  const restarts = [3001, 3002].map((port) => `agent-infrastructure@${port} releases/2 of 1 2`);
  for (const step of ["backup", "migrate"]) expect(upgrade(step), step).toEqual(kept);
  expect(upgrade("agent-infrastructure@3001")).toEqual([...restarts.slice(0, 1), ...kept]);
  expect(upgrade("nothing")).toEqual([...restarts, ...kept]);
});

test("An upgrade of Compose stops at a step that fails", () => {
  const [, lines = ""] = /^# To upgrade.*?\n#\n(.*?)\n#\n/ms.exec(read("compose.yaml")) ?? [];
  const stepsUntil = (failing: string) => {
    const script = `docker() { echo "$*"; case "$*" in *" ${failing}") return 1; esac; }
      ${lines.replaceAll(/^#/gm, "")}`;
    return spawnSync("sh", ["-c", script], { encoding: "utf8" }).stdout.trim().split("\n").length;
  };
  expect(["/backups/NAME", "build", "app1", "app2"].map(stepsUntil)).toEqual([1, 2, 3, 4]);
});

test("The kit names only settings and scripts that exist", () => {
  const scripts = Object.keys(JSON.parse(fs.readFileSync("package.json", "utf8")).scripts);
  const texts = ["Dockerfile", "compose.yaml", UNIT].map(read);
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

function read(name: string): string {
  return fs.readFileSync(path.join(ROOT, "deploy", name), "utf8");
}

function readCompose() {
  return parseYaml(read("compose.yaml")) as Compose;
}

interface Compose {
  services: {
    app1: App;
    app2: App;
    nginx: Service & { volumes: [string]; networks: Networks };
    postgres: Service;
  };
  networks: { internal: { ipam: { config: [{ subnet: string }] } } };
}

interface Service {
  logging?: { driver: string };
}

interface App extends Service {
  build: { context: string; dockerfile: string };
  environment: Record<string, string | number>;
  healthcheck: { test: string[] };
  networks: Networks;
}

interface Networks {
  internal: { ipv4_address: string };
}

function sizeOf(folder: string): number {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + fs.statSync(path.join(parentPath, name)).size, 0);
}

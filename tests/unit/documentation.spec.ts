import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { SHORT_TRIES } from "@/lib/accounts/otp";
import { operations } from "@/lib/api/registry";
import { config } from "@/lib/config/config";
import { environment } from "@/lib/config/environment";
import { RETENTION_SECONDS } from "@/lib/http/idempotency";
import { limits } from "@/lib/limits/service";
import { WRONG_TRIES } from "@/lib/resources/claim-token";
import manifest from "@/package.json" with { type: "json" };
import runner from "@/playwright.config";

/** The documents say what the code does, and nothing that it does not. */

const ROOT = path.resolve(import.meta.dirname, "../..");
const DOCUMENTS = ["README.md", "CONTRIBUTING.md", "SECURITY.md"];
const LOCAL = "http://localhost:3000";

const readme = read("README.md");
const tour = shellOf(section(readme, "## A tour"));

test("The README's configuration table has every variable with the default and meaning of the code", () => {
  const rows = section(readme, "## Configuration").match(/^\| `.*/gm);
  expect(rows).toEqual(
    Object.entries(environment).map(
      ([name, { default: value, meaning }]) => `| \`${name}\` | ${value} | ${meaning} |`,
    ),
  );
});

test(".env.example has every variable with the default and meaning of the code", () => {
  const [, ...entries] = read(".env.example").trimEnd().split("\n\n");
  expect(entries).toEqual(
    Object.entries(environment).map(
      ([name, { default: value, meaning }]) => `# ${meaning}\n# Default: ${value}\n#${name}=`,
    ),
  );
});

test("The tour calls every operation, and nothing that is none", () => {
  const calls = tour.flatMap(callsOf);
  const called = calls.map(({ method, path }) => {
    const sameMethod = operations.filter((operation) => operation.method === method);
    const found =
      sameMethod.find((operation) => operation.path === path) ??
      sameMethod.find((operation) => fits(operation.path, path));
    return found ? `${method} ${found.path}` : `${method} ${path}, which does not exist`;
  });
  const existing = operations.map((operation) => `${operation.method} ${operation.path}`);
  expect([...new Set(called)].sort()).toEqual(existing.sort());
});

test("The tour is POSIX shell that needs only curl, npm and the tools of every system", () => {
  const { status, stderr } = spawnSync("sh", ["-n"], { input: tour.join("\n"), encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const known = ["curl", "npm", "printf", "sed", "cut", "grep", "tr"];
  expect(tour.flatMap(commandsOf).filter((command) => !known.includes(command))).toEqual([]);
});

for (const name of DOCUMENTS) {
  test(`Every link of ${name} leads to a file`, () => {
    const targets = [...read(name).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target]) =>
      decodeURIComponent(target ?? ""),
    );
    expect(targets.filter((target) => !fs.existsSync(path.join(ROOT, target)))).toEqual([]);
  });

  test(`Every npm script that ${name} names exists`, () => {
    const named = [...read(name).matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(
      ([, run]) => run,
    );
    expect(named.filter((run) => !Object.hasOwn(manifest.scripts, run ?? ""))).toEqual([]);
  });

  test(`Every test file and project that ${name} names exists`, () => {
    const files = [...read(name).matchAll(/\btests\/[\w/-]+\.spec\.ts(?=:\d| |$)/gm)];
    expect(files.filter(([file]) => !fs.existsSync(path.join(ROOT, file)))).toEqual([]);
    const projects = runner.projects?.map((project) => project.name) ?? [];
    const named = [...read(name).matchAll(/--project=([\w-]+)/g)].map(([, project]) => project);
    expect(named.filter((project) => !projects.includes(project))).toEqual([]);
  });

  test(`${name} names nothing outside of the repository`, () => {
    expect(read(name)).not.toMatch(
      /\.\.\/|\/(?:work|home|root|Users)\/|registry\.\w+\.(?:org|com|io)/,
    );
  });
}

test("The figures in SECURITY.md and the README are those of the code", () => {
  const security = read("SECURITY.md").replaceAll(/\s+/g, " ");
  const figures = limits();
  const { sizes, connections } = figures;
  const [day, month] = SHORT_TRIES;
  const { callerLimits, publicResourceTtlDays, captureMaxBodyBytes } = config();
  for (const promise of [
    `at most ${spaced(Number(sizes.request_body_bytes_max))} bytes`,
    `and ${spaced(Number(sizes.artifact_request_body_bytes_max))} where content`,
    `the first ${spaced(captureMaxBodyBytes)} bytes are kept`,
    `body within ${constant("server/exchanges.ts", /UPLOAD_SECONDS_MAX = ([\d_]+)/)}, or ${captureSeconds()} at a capture URL`,
    `headers must arrive within ${constant("server/main.ts", /headersTimeout: ([\d_]+)/) / 1000} seconds`,
    `a key may make ${callerLimits.key} requests a minute`,
    `an address without a key ${callerLimits.anonymousWrites} writes`,
    `URL takes ${callerLimits.arrivals} requests`,
    `removed ${publicResourceTtlDays} days after its last write`,
    `for ${RETENTION_SECONDS / 3600} hours`,
    `has ${WRONG_TRIES.limit} wrong tries in ten minutes`,
    `After ${day?.limit} wrong tries in a day, or ${month?.limit} in 30 days`,
    `keeps at most ${config().publicEventsMaxBytes / 1_000_000} MB`,
    `accepts ${connections.open_max} connections`,
    `one address holds at most ${connections.open_per_network_max} connections, ${connections.streams_per_network_max} streams and ${connections.long_polls_per_network_max} long polls`,
  ]) {
    expect(security).toContain(promise);
  }
  expect(security).not.toMatch(/\byet\b/);
  const megabytes = Number(/client_max_body_size (\d+)m/.exec(readme)?.[1]);
  expect(megabytes * 1_000_000).toBeGreaterThan(Number(sizes.message_request_body_bytes_max));
});

/** A figure of a file that starts a server when it is imported. */
function constant(file: string, pattern: RegExp): number {
  return Number(pattern.exec(read(file))?.[1]?.replaceAll("_", ""));
}

/** 1000000 as the documents write it: `1 000 000`. */
function spaced(figure: number): string {
  return figure.toLocaleString("en").replaceAll(",", " ");
}

function captureSeconds(): number {
  return Math.max(...operations.map(({ uploadSecondsMax }) => uploadSecondsMax));
}

test("The README's table of test projects is that of the runner", () => {
  const [, table = ""] = readme.split("| Project | Tests |");
  const named = [...(table.split("\n\n")[0] ?? "").matchAll(/^\| `([\w-]+)`/gm)].map(([, n]) => n);
  expect(named).toEqual(runner.projects?.map((project) => project.name));
});

function read(name: string): string {
  return fs.readFileSync(path.join(ROOT, name), "utf8");
}

/** What stands under a heading, up to the next one of its level. */
function section(document: string, heading: string): string {
  const [, after = ""] = document.split(`\n${heading}\n`);
  return after.split(/\n## /)[0] ?? "";
}

/** The lines of the code blocks that are meant for a shell. */
function shellOf(text: string): string[] {
  return [...text.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, lines = ""]) =>
    lines.trim().split("\n"),
  );
}

/** The requests that a line makes, with `$ID` and the like as one segment of the path. */
function callsOf(line: string): { method: string; path: string }[] {
  const url = line.indexOf(LOCAL);
  if (url === -1) return [];
  const method = /-X ([A-Z]+)/.exec(line)?.[1] ?? (/ -d ['"]\{/.test(line) ? "POST" : "GET");
  const path = /^[^?'" |)]*/.exec(line.slice(url + LOCAL.length))?.[0] ?? "";
  return [{ method, path }];
}

function fits(template: string, path: string): boolean {
  return new RegExp(`^${template.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(
    path,
  );
}

/** The command words of a line: at its start, in `$(…)` and after `|`. */
function commandsOf(line: string): string[] {
  const unquoted = line.replaceAll('\\"', "").replaceAll(/'[^']*'|"(?!\$\()[^"]*"/g, "Q");
  return [...unquoted.matchAll(/(?:^|\||\$\()\s*(?:\w+=(?!\$\())?(\w+)/g)]
    .map(([, command = ""]) => command)
    .filter((command) => !unquoted.startsWith(`${command}=`));
}

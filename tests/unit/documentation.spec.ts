import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "playwright/test";
import { operations } from "@/lib/api/registry";
import { anchorOf } from "@/lib/docs/site/markdown";
import { environment } from "@/lib/platform/config/environment";
import { ApiError, isErrorCode } from "@/lib/platform/errors";
import { errorEnvelope } from "@/lib/platform/http/error-envelope";
import { kinds } from "@/lib/resources/kinds";
import { limitAt } from "@/lib/upkeep/limits/service";
import manifest from "@/package.json" with { type: "json" };
import runner from "@/playwright.config";
import { generatedFiles } from "@/scripts/generated-files";
import {
  callsOf,
  commandsOf,
  documents,
  operationAt,
  ROOT,
  read,
  section,
  shellOf,
} from "../support/documents";

/** The documents name only what exists, with the figures of the code. */

const tour = shellOf(read("docs/tour.md"));

test("What npm run docs writes is up to date", () => {
  for (const [file, text] of Object.entries(generatedFiles())) {
    expect.soft(fs.readFileSync(file, "utf8"), file).toBe(text);
  }
});

test("The default of a variable in words is the one that the code uses", () => {
  const defaults = Object.entries(environment).flatMap(([name, { schema, default: words }]) => {
    const value = schema.parse(undefined);
    const isPlain = ["number", "boolean", "string"].includes(typeof value) && value !== "";
    return isPlain ? [{ name, words, value: `\`${value}\`` }] : [];
  });
  expect(defaults.length).toBeGreaterThan(25);
  expect(defaults.filter(({ words, value }) => !words.startsWith(value))).toEqual([]);
});

test("A number with a unit in a document has a name, unless others than the code decide it", () => {
  const measured = /\/(?:benchmarks|decisions|proof|scaling|tour)\.md$/;
  const decidedByOthers = [
    ...["10 minutes", "30 seconds"], // for which jose caches keys
    ...["4.5 MB", "250 MB", "300 seconds"], // Vercel's limits
    "5 minutes", // between two runs of a cron job
    ...["200 kB", "24 kB", "10 seconds"], // which tests hold for pages, the list of tools, and requests
    "24 hours", // in which bulk replays are counted
  ];
  const unnamed = documents
    .filter((name) => !measured.test(name))
    .flatMap((name) => {
      const source = fs.readFileSync(path.join(ROOT, name), "utf8");
      const prose = source
        .replaceAll(/^ *```.*?^ *```/gms, "")
        .replaceAll(/^\| `[A-Z_]+` \|.*$/gm, "")
        .replaceAll(/`[^`]*`/g, "");
      return [...prose.matchAll(WITH_UNIT)].map(([found]) => found.replaceAll(/\s+/g, " "));
    });
  expect(unnamed.filter((found) => !decidedByOthers.includes(found))).toEqual([]);
});

test("nginx takes larger bodies than the service, which refuses them itself", () => {
  const taken = Number(/client_max_body_size (\d+)m/.exec(read("docs/deployment.md"))?.[1]);
  expect(taken * 1_000_000).toBeGreaterThan(limitAt("sizes.message_request_body_bytes_max"));
});

test("server.json describes this version", () => {
  const { name, version, description } = JSON.parse(read("server.json"));
  expect(version).toBe(manifest.version);
  expect(name).toMatch(/^[\w.-]+\/[\w.-]+$/);
  expect(description.length).toBeLessThanOrEqual(100);
});

test("The tour calls every operation, and nothing else", () => {
  const called = tour
    .flatMap(callsOf)
    .map(({ method, path }) => operationAt(method, path) ?? `${method} ${path} does not exist`);
  const existing = operations.map(({ method, path }) => `${method} ${path}`);
  expect([...new Set(called)].sort()).toEqual(existing.sort());
});

test("The tour needs only curl, npm and standard tools", () => {
  const known = ["curl", "npm", "printf", "sed", "cut", "grep", "tr", "tar"];
  expect(tour.flatMap(commandsOf).filter((command) => !known.includes(command))).toEqual([]);
});

for (const { name } of kinds) {
  test(`docs/${name}.md lists the fields of a create, and which are required`, () => {
    const rows = section(read(`docs/${name}.md`), "## Fields").matchAll(
      /^\| `(\w+)` \| (.*) \|$/gm,
    );
    const listed = [...rows].map(([, field, rule = ""]) => [field, rule.startsWith("Required.")]);
    const create = operations.find(
      ({ method, path }) => `${method} ${path}` === `POST /api/${name}`,
    );
    const fields = Object.entries(create?.body?.shape ?? {}).map(([field, property]) => [
      field,
      !property.safeParse(undefined).success,
    ]);
    expect(listed.sort()).toEqual(fields.sort());
  });
}

test("The error in docs/api.md is as the code makes it", () => {
  const shown = /```json\n(.*?)```/s.exec(section(read("docs/api.md"), "## Errors"))?.[1] ?? "";
  const error = new ApiError("missing_required_param", '"name" is required.', { param: "name" });
  const { error: parts } = JSON.parse(shown);
  expect({ error: parts }).toEqual(errorEnvelope(error, parts.request_id));
});

test("The table of test projects is that of the runner", () => {
  const [, table = ""] = read("CONTRIBUTING.md").split("| Project | Tests |");
  const named = [...(table.split("\n\n")[0] ?? "").matchAll(/^\| `([\w-]+)`/gm)].map(([, n]) => n);
  expect(named.sort()).toEqual(runner.projects?.map((project) => project.name).sort());
});

for (const name of documents) {
  test(`${name} names only what exists`, () => {
    const text = read(name);
    expect
      .soft(text.match(/\]\((?!https?:)[^)]+\)/g)?.filter((link) => !leads(name, link)) ?? [])
      .toEqual([]);
    const scripts = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, run]) => run);
    expect.soft(scripts.filter((run) => !Object.hasOwn(manifest.scripts, run ?? ""))).toEqual([]);
    const projects = [...text.matchAll(/--project=([\w-]+)/g)].map(([, project]) => project);
    const known = runner.projects?.map((project) => project.name) ?? [];
    expect.soft(projects.filter((project) => !known.includes(project ?? ""))).toEqual([]);
    const files = text.matchAll(
      /(?<=[\s`(])(?:app|lib|server|scripts|tests|docs|prisma)\/[\w/.-]+\w(?=[\s`:)])/g,
    );
    expect
      .soft(
        [...files].filter(([file]) => !isExample(file) && !exists(file) && !exists(`${file}.ts`)),
      )
      .toEqual([]);
  });

  test(`${name} calls only operations, with bodies that they take, in shell that parses`, () => {
    const { stderr } = spawnSync("sh", ["-n"], { input: shellOf(read(name)).join("\n") });
    expect.soft(stderr.toString()).toBe("");
    const calls = shellOf(read(name)).flatMap(callsOf);
    expect.soft(calls.filter(({ method, path }) => !operationAt(method, path))).toEqual([]);
    expect.soft(calls.filter(isRefused)).toEqual([]);
    const named = read(name).matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^`?]+)/g);
    const missing = [...named].filter(([, method = "", path = ""]) => !operationAt(method, path));
    expect.soft(missing.map(([call]) => call)).toEqual([]);
  });

  test(`${name} names only errors with their status, and only variables that are read`, () => {
    const rows = read(name).matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm);
    const wrong = [...rows].filter(([, status, code = ""]) => {
      return !isErrorCode(code) || ![Number(status), 404].includes(new ApiError(code, "").status);
    });
    expect.soft(wrong.map(([row]) => row)).toEqual([]);
    const inline = read(name).matchAll(/\b([45]\d\d) `(\w+)`/g);
    const unknown = [...inline].filter(([, status, code = ""]) => {
      return !isErrorCode(code) || new ApiError(code, "").status !== Number(status);
    });
    expect.soft(unknown.map(([words]) => words)).toEqual([]);
    const variables = read(name).matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=[^`]*)?`/g);
    const strange = [...variables].filter(([, variable = ""]) => {
      return !Object.hasOwn(environment, variable) && !OTHER_VARIABLES.test(variable);
    });
    expect.soft(strange.map(([variable]) => variable)).toEqual([]);
  });

  test(`${name} names no path outside the repository`, () => {
    const outside = "../".repeat(Math.max(2, name.split("/").length));
    expect(read(name)).not.toContain(outside);
    expect(read(name)).not.toMatch(/\/(?:work|home|root|Users)\/|registry\.\w+\.(?:org|com|io)/);
  });
}

/** A number in a text with what it counts. */
const WITH_UNIT =
  /\d[\d .,]*\s+(?:(?:second|minute|hour|day|request|connection|event|message|run|digit|level|row|attempt|version|value)s?|bytes|characters|times|tries|kB|MB|GB)\b/g;

/** What examples, the client, its commands, the tests, the benchmarks and the OpenTelemetry SDK read, and what databases set on Vercel. */
const OTHER_VARIABLES =
  /^(?:API_KEY|AGENT_INFRA_[A-Z_]+|OTEL_[A-Z_]+|NO_COLOR|XDG_CONFIG_HOME|PGMQ_SQL|CITUS_URL|ENV_FILE|DATABASE_URL_UNPOOLED|POSTGRES_URL_NON_POOLING)$/;

/** Whether a link leads to a file, and its fragment to a heading there. */
function leads(name: string, link: string): boolean {
  const [target = "", fragment] = decodeURIComponent(link.slice(2, -1)).split("#");
  const file = target === "" ? name : path.join(path.dirname(name), target);
  if (!exists(file)) return false;
  return fragment === undefined || anchors(file).includes(fragment);
}

/** The fragments of a page's headings, as GitHub makes them. */
function anchors(file: string): string[] {
  return [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading));
}

function exists(file: string): boolean {
  return fs.existsSync(path.join(ROOT, file));
}

/** The steps for a new resource name files that it does not have yet; git ignores the other. */
function isExample(file: string): boolean {
  return file.includes("notes") || file === "docs/screenshots";
}

/** Whether a call's JSON is not what its operation takes. Bodies with shell variables are skipped. */
function isRefused({ method, path, json }: ReturnType<typeof callsOf>[number]): boolean {
  if (json === undefined) return false;
  const found = operations.find((one) => `${one.method} ${one.path}` === operationAt(method, path));
  const wrongOnPurpose = json.includes("There is no such property");
  return found?.body?.safeParse(JSON.parse(json)).success === wrongOnPurpose;
}

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "playwright/test";
import { isList } from "@/lib/api/export";
import { openApiDocument } from "@/lib/api/openapi/document";
import { ApiError } from "@/lib/platform/errors";
import { exampleId } from "@/lib/platform/http/example";
import { STREAM_MS_MAX } from "@/lib/platform/limits/connection-slots";
import { kinds } from "@/lib/resources/kinds";
import { resourceOf } from "@/lib/resources/registry";
import { everyOperation, examplePath, methodsByPath, titleOf } from "../support/operations";
import { ROOT } from "../support/servers";

/** The registry and the folders of `app/` list the same paths. */

const APP = path.resolve(import.meta.dirname, "../../app");
const SIGNALS = "(dashboard)/dashboard/signals/route.ts";
const METHODS = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];
const files = fs
  .readdirSync(APP, { recursive: true, encoding: "utf8" })
  // Routes that the dashboard fetches with its cookie are not part of the API.
  .filter((file) => path.basename(file) === "route.ts" && !file.startsWith("(dashboard)"))
  .sort();
/**
 * Each path with its file. Includes `[[...name]]`: an operation that also serves every path below its
 * own. `[kind]` stands for every kind of resource.
 */
const exact = files
  .filter((file) => !file.includes("/[..."))
  .flatMap((file) => pathsOf(file).map((served) => ({ file, served })));

test("Every registered path has a route.ts, and every route.ts is registered", () => {
  expect(exact.map(({ served }) => served).sort()).toEqual([...methodsByPath().keys()].sort());
});

test("The prefix of every ID that the code makes or the documents show can be claimed or is 400", () => {
  const sources = ["lib", "app", "server"].flatMap((folder) =>
    fs
      .readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file) && !file.includes("generated"))
      .map((file) => path.join(ROOT, folder, file)),
  );
  const made = sources.flatMap((file) =>
    [...fs.readFileSync(file, "utf8").matchAll(/\bnewId\(([^)]*)\)/g)].flatMap(
      ([, argument = ""]) =>
        [...argument.matchAll(/(?<!=== )"([a-z]+)"/g)].map(([, prefix = ""]) => prefix),
    ),
  );
  const document = openApiDocument(everyOperation, everyOperation, "https://agents.acme.dev");
  const start = exampleId("");
  const shown = [...JSON.stringify(document).matchAll(new RegExp(`\\b([a-z]+)${start}`, "g"))].map(
    ([, prefix = ""]) => prefix,
  );
  expect(made).toEqual(expect.arrayContaining(["org", "cla", "sgn", "note", "req"]));
  expect(shown).toEqual(expect.arrayContaining(["tsk", "iev"]));
  const unknown = [...new Set([...made, ...shown])].filter((prefix) => {
    try {
      return resourceOf(`${prefix}_x`) === undefined;
    } catch (error) {
      return !(error instanceof ApiError && error.code === "invalid_param");
    }
  });
  expect(unknown).toEqual([]);
});

test("Operations and their IDs are unique", () => {
  expect(new Set(everyOperation.map(titleOf)).size).toBe(everyOperation.length);
  expect(new Set(everyOperation.map(({ id }) => id)).size).toBe(everyOperation.length);
});

for (const file of files) {
  test(`app/${file} exports a handler for every method`, async () => {
    expect(
      Object.keys(await load(file))
        .filter((name) => name === name.toUpperCase())
        .sort(),
    ).toEqual(METHODS);
  });
}

for (const { file, served } of exact) {
  test(`app/${file} allows exactly the registered methods of ${served}`, async () => {
    const { OPTIONS } = await load(file);
    const url = `http://localhost:3000${examplePath(served)}`;
    const headers = { "access-control-request-method": "GET" };
    const response = await OPTIONS?.(new Request(url, { method: "OPTIONS", headers }), {
      params: Promise.resolve({}),
    });
    expect(response?.status).toBe(204);
    const allowed = response?.headers.get("allow")?.split(/,\s*/).sort();
    expect(allowed).toEqual([...(methodsByPath().get(served) ?? [])].sort());
  });
}

test("One catch-all route answers unknown paths under /api, another all other unknown paths", () => {
  expect(files.filter((file) => file.includes("/[..."))).toEqual([
    expect.stringMatching(/^\(site\)\/\[\.\.\.\w+\]\/route\.ts$/),
    expect.stringMatching(/^api\/\[\.\.\.\w+\]\/route\.ts$/),
  ]);
});

/** Seconds beside a wait: a cold start, the key, and the response of a slow database. */
const SPARE_SECONDS = 15;
const LONG_POLL_SECONDS = 25;

test("On Vercel, requests that wait and streams may take longer than they do", () => {
  const isStream = (type = "") => type === "text/event-stream";
  const waits = everyOperation.flatMap((operation) => {
    const { path, query, body, success } = operation;
    const fields = Object.keys({ ...query?.shape, ...body?.shape });
    const isPoll = fields.includes("wait") || fields.includes("wait_seconds");
    // An export of a list is a stream.
    if (isStream(success.contentType) || path === "/mcp" || (isPoll && isList(operation))) {
      return [[path, STREAM_MS_MAX / 1000] as const];
    }
    return isPoll ? [[path, LONG_POLL_SECONDS] as const] : [];
  });
  expect(waits.length).toBeGreaterThan(7);
  for (const [path, seconds] of waits) {
    const { file = "" } = exact.find(({ served }) => served === path) ?? {};
    expect.soft(maxDurationOf(file), file).toBeGreaterThanOrEqual(seconds + SPARE_SECONDS);
  }
  expect(maxDurationOf(SIGNALS)).toBeGreaterThanOrEqual(STREAM_MS_MAX / 1000 + SPARE_SECONDS);
});

/** Routes that finish their work even if the caller has left. */
const FINISHING = [
  "api/[kind]/[id]/route.ts",
  "api/batch/route.ts",
  "api/messages/dispatch/route.ts",
  "mcp/route.ts",
];

test("On Vercel, exactly the routes that wait or stream, and need not finish, are cancelled if the caller leaves", () => {
  const slow = [SIGNALS, ...files].filter((file) => maxDurationOf(file) > 0);
  expect(slow).toEqual(expect.arrayContaining(FINISHING));
  // Brackets would be patterns.
  const patterns = slow
    .filter((file) => !FINISHING.includes(file))
    .map((file) => `app/${file.replaceAll(/[[(]\w+[\])]/g, "*")}`);
  const { functions } = JSON.parse(fs.readFileSync(path.join(ROOT, "vercel.json"), "utf8"));
  expect(functions).toEqual(
    Object.fromEntries(patterns.map((pattern) => [pattern, { supportsCancellation: true }])),
  );
});

/** Next reads it from the source, so it is a number there. */
function maxDurationOf(file: string): number {
  const source = fs.readFileSync(path.join(APP, file), "utf8");
  return Number(/^export const maxDuration = (\d+);$/m.exec(source)?.[1]);
}

type Handler = (request: Request, context: { params: Promise<object> }) => Promise<Response>;

async function load(file: string): Promise<Record<string, Handler>> {
  return import(pathToFileURL(path.join(APP, file)).href);
}

/** `api/claim/[id]/route.ts` → `/api/claim/{id}`; route groups are left out. */
function pathsOf(file: string): string[] {
  const segments = path.dirname(file).split(path.sep);
  const pattern = `/${segments
    .filter((segment) => !/^\(.*\)$|^\[\[\.\.\./.test(segment))
    .map((segment) => segment.replace(/^\[(\w+)\]$/, "{$1}"))
    .join("/")}`;
  if (!pattern.includes("{kind}")) return [pattern];
  return kinds.map(({ name }) => pattern.replace("{kind}", name));
}

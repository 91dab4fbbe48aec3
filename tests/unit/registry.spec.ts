import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "playwright/test";
import { everyOperation, examplePath, methodsByPath, titleOf } from "../support/operations";

/** The registry and the folders of `app/` are two lists of the same things. */

const APP = path.resolve(import.meta.dirname, "../../app");
const METHODS = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];
const files = fs
  .readdirSync(APP, { recursive: true, encoding: "utf8" })
  // What the dashboard's pages fetch for themselves, by their cookie, is no part of the API.
  .filter((file) => path.basename(file) === "route.ts" && !file.startsWith("(dashboard)"))
  .sort();
/** A path of which also everything below is an operation's has a folder `[[...name]]`. */
const exact = files.filter((file) => !file.includes("/[..."));

test("Every path of the registry has a route.ts, and every route.ts a path of the registry", () => {
  expect(exact.map(pathOf).sort()).toEqual([...methodsByPath().keys()].sort());
});

test("No operation stands in the registry twice, and no two have one ID", () => {
  expect(new Set(everyOperation.map(titleOf)).size).toBe(everyOperation.length);
  expect(new Set(everyOperation.map(({ id }) => id)).size).toBe(everyOperation.length);
});

for (const file of files) {
  test(`app/${file} hands over every method`, async () => {
    expect(
      Object.keys(await load(file))
        .filter((name) => name === name.toUpperCase())
        .sort(),
    ).toEqual(METHODS);
  });
}

for (const file of exact) {
  test(`app/${file} answers exactly the methods of the registry`, async () => {
    const { OPTIONS } = await load(file);
    const url = `http://localhost:3000${examplePath(pathOf(file))}`;
    const headers = { "access-control-request-method": "GET" };
    const answer = await OPTIONS?.(new Request(url, { method: "OPTIONS", headers }), {
      params: Promise.resolve({}),
    });
    expect(answer?.status).toBe(204);
    const allowed = answer?.headers.get("allow")?.split(/,\s*/).sort();
    expect(allowed).toEqual([...(methodsByPath().get(pathOf(file)) ?? [])].sort());
  });
}

test("A catch-all answers for every other path under /api, and one for all others", () => {
  expect(files.filter((file) => file.includes("/[..."))).toEqual([
    expect.stringMatching(/^\(site\)\/\[\.\.\.\w+\]\/route\.ts$/),
    expect.stringMatching(/^api\/\[\.\.\.\w+\]\/route\.ts$/),
  ]);
});

type Handler = (request: Request, context: { params: Promise<object> }) => Promise<Response>;

async function load(file: string): Promise<Record<string, Handler>> {
  return import(pathToFileURL(path.join(APP, file)).href);
}

/** `api/tasks/[id]/route.ts` → `/api/tasks/{id}`; folders in parentheses do not show. */
function pathOf(file: string) {
  const segments = path.dirname(file).split(path.sep);
  return `/${segments
    .filter((segment) => !/^\(.*\)$|^\[\[\.\.\./.test(segment))
    .map((segment) => segment.replace(/^\[(\w+)\]$/, "{$1}"))
    .join("/")}`;
}

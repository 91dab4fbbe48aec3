import fs from "node:fs";
import path from "node:path";
import { operations } from "@/lib/api/registry";
import { routerOf } from "@/lib/api/router";
import { withoutFigureNames } from "@/lib/docs/site/repository-files";

export const ROOT = path.resolve(import.meta.dirname, "../..");
export const LOCAL = "http://localhost:3000";

const operationsOn = routerOf(operations);

/** Every document that people read, relative to the repository. */
export const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "AGENTS.md",
  "SECURITY.md",
  "CHANGELOG.md",
  ...["docs", "docs/guides"].flatMap((folder) =>
    fs
      .readdirSync(path.join(ROOT, folder))
      .filter((file) => file.endsWith(".md"))
      .map((file) => `${folder}/${file}`),
  ),
];

/** What `npm run build` made of them. Only for tests that wait for a server: files load while the build runs. */
export function builtDocs(): { pages: { path: string }[]; files: string[] } {
  return JSON.parse(fs.readFileSync(path.join(ROOT, "dist/docs/pages.json"), "utf8"));
}

/** A document as its readers see it, without the names of its figures. */
export function read(name: string): string {
  return withoutFigureNames(fs.readFileSync(path.join(ROOT, name), "utf8"));
}

/** The text under a heading, up to the next one of its level. */
export function section(document: string, heading: string): string {
  const [, after = ""] = document.split(`\n${heading}\n`);
  return after.split(/\n## /)[0] ?? "";
}

/** The lines of the code blocks that are meant for a shell. */
export function shellOf(text: string): string[] {
  return [...text.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, lines = ""]) =>
    lines.trim().split("\n"),
  );
}

/** The requests that a line makes, with `$ID` and the like as one segment of the path. */
export function callsOf(line: string): { method: string; path: string; json?: string }[] {
  const url = line.indexOf(LOCAL);
  if (url === -1 || !line.includes("curl")) return [];
  const json = / -d '(\{[^']*\})'/.exec(line)?.[1];
  const method =
    /-X ([A-Z]+)/.exec(line)?.[1] ?? (/ -d (?:['"]\{|\w+=)/.test(line) ? "POST" : "GET");
  const path = /^[^?'" |)]*/.exec(line.slice(url + LOCAL.length))?.[0] ?? "";
  return [{ method, path, ...(json !== undefined && { json }) }];
}

/** The operation of a method and path, as `GET /api/tasks/{id}`. */
export function operationAt(method: string, path: string): string | undefined {
  const found = operationsOn(path)?.find((operation) => operation.method === method);
  return found && `${method} ${found.path}`;
}

/** The command words of a line: at its start, in `$(…)` and after `|`. */
export function commandsOf(line: string): string[] {
  const unquoted = withoutQuotes(line);
  return [...unquoted.matchAll(/(?:^|\||\$\()\s*(?:\w+=(?!\$\())?(\w+)/g)]
    .map(([, command = ""]) => command)
    .filter((command) => !unquoted.startsWith(`${command}=`));
}

/** A line with `Q` in place of all that is quoted, except a `"$(…)"`. */
export function withoutQuotes(line: string): string {
  return line.replaceAll('\\"', "").replaceAll(/'[^']*'|"(?!\$\()[^"]*"/g, "Q");
}

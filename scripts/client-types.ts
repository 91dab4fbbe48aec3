// Part of `npm run generate`: writes the files of the client that are made from the contracts. ./generate-client.mjs
// runs it if they are not current.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { type OpenApiDocument, openApiDocument } from "@/lib/api/openapi/document";
import { operations } from "@/lib/api/registry";
import { clientMethod } from "@/lib/docs/client-method";
import { errorCodes } from "@/lib/platform/errors";
import { errorTypes } from "@/lib/platform/http/error-envelope";
import { kinds } from "@/lib/resources/kinds";
import manifest from "@/packages/client/package.json" with { type: "json" };

const HEADER = "// Made by `npm run generate`.\n";

function clientFiles(): Record<string, string> {
  const described = operations.filter(({ inPartOnly }) => !inPartOnly);
  const document = openApiDocument(described, operations, "http://localhost:3000");
  const names = Object.keys(document.components.schemas ?? {})
    .filter((name) => name !== "Error") // a global
    .map((name) => `export type ${name} = components["schemas"]["${name}"];`);
  const unions = [union("ErrorType", errorTypes), union("ErrorCode", errorCodes)];
  return {
    "packages/client/src/schema.ts": [
      HEADER,
      typesOf(document),
      `${names.join("\n")}\n`,
      ...unions,
    ].join("\n"),
    "packages/client/src/operations.ts": `${HEADER}
export const VERSION = "${manifest.version}";

/** The paths of the pages of resources, by the prefix of their IDs. */
export const pages = ${objectOf(pages, "")} as const;

/** Each operation as its method, its path, and what the function takes after the IDs, or returns. */
export const operations = ${operationTable()} as const;
`,
  };
}

/**
 * The types that openapi-typescript makes of the document, without what the client does not use: error
 * responses, which it throws, response headers, and path parameters, whose names it takes from the path.
 * Operations are written out in `paths`, without names of their own.
 */
function typesOf(document: OpenApiDocument): string {
  const { parameters, ...components } = structuredClone(document.components);
  // A parameter is described where it is used.
  const paths: OpenApiDocument["paths"] = JSON.parse(JSON.stringify(document.paths), (_, value) => {
    const name = /^#\/components\/parameters\/(.+)/.exec(value?.$ref)?.[1];
    return name === undefined ? value : parameters?.[name];
  });
  for (const operation of Object.values(paths).flatMap((item) =>
    Object.values(item as Record<string, Described>),
  )) {
    delete operation.operationId;
    if (operation.responses) operation.responses = successesIn(operation.responses);
  }
  components.responses = successesIn(components.responses as Responses);
  delete components.headers;
  // In a separate process, with the compiler that it needs.
  const argv = ["--import", "./scripts/typescript-5.mjs", CLI, "--empty-objects-unknown"];
  const { stdout, stderr, status } = spawnSync(process.execPath, argv, {
    input: JSON.stringify({ ...document, paths, components }),
    encoding: "utf8",
    maxBuffer: 10_000_000,
  });
  if (status !== 0) throw new Error(stderr);
  return (
    stdout
      .replace(/^\/\*\*.*?\*\/\n+/s, "")
      .replaceAll(/^ *headers: \{\n *\[name: string\]: unknown;\n *\};\n/gm, "")
      .replaceAll(/^ *[\w$]+\??: never;\n/gm, "")
      // Each operation has the parameters of its path, too.
      .replaceAll(/^ {8}parameters: \{\n(?: {9}.*\n)* {8}\};\n/gm, "")
      .replaceAll(/^ {16}path: \{\n(?: {17}.*\n)* {16}\};\n/gm, "")
      // Editors show such tags as text, and the types state constants already.
      .replaceAll(/^ *\* @(?:constant|enum .*)\n/gm, "")
      .replaceAll("@description ", "")
      .replaceAll(/\/\*\*\n *\* (.*)\n *\*\//g, "/** $1 */")
      // Removes descriptions that only repeat the status.
      .replaceAll(/^ *\/\*\* (?:OK|Created\.?|Done) \*\/\n/gm, "")
      .replaceAll(/^ *parameters: \{\n *\};\n/gm, "")
      .replace(/^export type (?:webhooks|\$defs|operations) = .*;\n/gm, "")
  );
}

const CLI = "node_modules/openapi-typescript/bin/cli.js";

/** Responses by status or name. */
type Responses = Record<string, object>;

/** An operation, or the parameters of a path. */
interface Described {
  operationId?: string;
  responses?: Responses;
}

function successesIn(responses: Responses): Responses {
  const kept = Object.entries(responses).filter(([status]) => !/^[345]/.test(status));
  return Object.fromEntries(kept.map(([name, response]) => [name, { ...response, headers: {} }]));
}

const pages = new Map(kinds.map(({ prefix, name }) => [`${prefix}`, `${prefix}: "${name}"`]));

/** A group of methods: each is a line of code, or a group. */
type Group = Map<string, string | Group>;

/** The methods of the client as nested objects, each with its summary. */
function operationTable(): string {
  const table: Group = new Map();
  for (const operation of operations) {
    const method = clientMethod(operation);
    if (!method) continue;
    const names = method.name.split(".");
    const last = names.pop() ?? "";
    const group = names.reduce((outer, name) => {
      const inner = outer.get(name) ?? new Map();
      if (typeof inner === "string") throw new Error(`${method.name} is below a method.`);
      outer.set(name, inner);
      return inner;
    }, table);
    if (group.has(last)) throw new Error(`Two operations are ${method.name}.`);
    const route = `"${operation.method} ${operation.path} ${method.input}"`;
    group.set(last, `/** ${operation.summary}. */\n${last}: ${route}`);
  }
  return objectOf(table, "");
}

function objectOf(group: Group, indent: string): string {
  const inner = `${indent}  `;
  const lines = Array.from(group, ([name, value]) =>
    typeof value === "string"
      ? value.replaceAll(/^/gm, inner)
      : `${inner}${name}: ${objectOf(value, inner)}`,
  );
  return `{\n${lines.join(",\n")},\n${indent}}`;
}

function union(name: string, values: readonly string[]): string {
  return `export type ${name} =\n${values.map((value) => `  | "${value}"`).join("\n")};\n`;
}

for (const [file, text] of Object.entries(clientFiles())) writeFileSync(file, text);

import { readFileSync } from "node:fs";
import { environment } from "@/lib/platform/config/environment";
import { documents } from "../tests/support/documents";
import { toolTable } from "../tests/support/mcp-documents";
import { withFigures } from "./figures";

/**
 * What `npm run docs` writes, by path: every document with the figures of the code (./figure-list.ts) and, where it has
 * one, its table, and .env.example.
 */
export function generatedFiles(): Record<string, string> {
  return {
    ...Object.fromEntries(documents.map((name) => [name, withFigures(withTable(name))])),
    ".env.example": environmentExample(),
  };
}

const variables = Object.entries(environment);

/** The tables that are made from the code, by document. Each begins with the same heads as the one it replaces. */
const tables: Record<string, () => string> = {
  "docs/configuration.md": variableTable,
  "docs/mcp.md": toolTable,
};

/** The text of a document, with its table as the code has it. */
function withTable(name: string): string {
  const text = readFileSync(name, "utf8");
  const table = tables[name]?.();
  if (table === undefined) return text;
  const heads = `${table.split("\n", 1)[0]}\n`;
  const begin = text.indexOf(heads);
  if (begin === -1) throw new Error(`${name} has no table that begins with: ${heads}`);
  return text.slice(0, begin) + text.slice(begin).replace(/^(\|.*\n)+/, () => `${table}\n`);
}

function variableTable(): string {
  const rows = variables.map(
    ([variable, { default: value, meaning }]) => `| \`${variable}\` | ${value} | ${meaning} |`,
  );
  return ["| Variable | Default | Meaning |", "| --- | --- | --- |", ...rows].join("\n");
}

function environmentExample(): string {
  const sections = variables.map(
    ([name, { default: value, meaning }]) => `# ${meaning}\n# Default: ${value}\n#${name}=\n`,
  );
  return `# Every variable that the service reads. All are optional in local mode; a server for others needs
# BASE_URL, SERVER_SECRET and AGENT_AUTH_SECRET. npm start reads .env, a copy of this file:
#
#   install -m 600 .env.example .env

${sections.join("\n")}`;
}

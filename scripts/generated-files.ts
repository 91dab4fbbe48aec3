import { readFileSync } from "node:fs";
import { environment } from "@/lib/platform/config/environment";
import { documents } from "../tests/support/documents";
import { withFigures } from "./figures";

/**
 * What `npm run docs` writes, by path: every document with the figures of the code (./figure-list.ts), the table of
 * docs/configuration.md, and .env.example.
 */
export function generatedFiles(): Record<string, string> {
  return {
    ...Object.fromEntries(documents.map((name) => [name, withFigures(withTable(name))])),
    ".env.example": environmentExample(),
  };
}

const variables = Object.entries(environment);

/** The text of a document; that of docs/configuration.md has the table of the variables as the code has them. */
function withTable(name: string): string {
  const text = readFileSync(name, "utf8");
  if (name !== "docs/configuration.md") return text;
  const rows = variables.map(
    ([variable, { default: value, meaning }]) => `| \`${variable}\` | ${value} | ${meaning} |`,
  );
  const table = ["| Variable | Default | Meaning |", "| --- | --- | --- |", ...rows].join("\n");
  const place = /^\| Variable \|.*\n(?:\|.*\n)*/m;
  if (!place.test(text)) throw new Error(`${name} has no table of variables.`);
  return text.replace(place, () => `${table}\n`);
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

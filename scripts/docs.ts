// `npm run docs`: writes the table of docs/configuration.md and .env.example from
// lib/platform/config/environment.ts, the generated files of the client (./client-types.ts), and the figures of
// every document from the constants of the code (./figures.ts).
import { readFileSync, writeFileSync } from "node:fs";
import { argumentsOf } from "./arguments.mjs";

argumentsOf("Usage: npm run docs\n\nWrites the generated documents and files of the client.");

// After the arguments: `--help` need not wait for the whole service.
const { environment } = await import("@/lib/platform/config/environment");
const { documents } = await import("../tests/support/documents");
const { clientFiles } = await import("./client-types");
const { withFigures } = await import("./figures");

const PAGE = "docs/configuration.md";

const variables = Object.entries(environment);
const rows = variables.map(
  ([name, { default: value, meaning }]) => `| \`${name}\` | ${value} | ${meaning} |`,
);
const table = ["| Variable | Default | Meaning |", "| --- | --- | --- |", ...rows].join("\n");
const page = readFileSync(PAGE, "utf8");
writeFileSync(
  PAGE,
  page.replace(/^\| Variable \|.*\n(?:\|.*\n)*/m, () => `${table}\n`),
);

const sections = variables.map(
  ([name, { default: value, meaning }]) => `# ${meaning}\n# Default: ${value}\n#${name}=\n`,
);
writeFileSync(
  ".env.example",
  `# Every variable that the service reads. All are optional in local mode; a server for others needs
# BASE_URL, SERVER_SECRET and AGENT_AUTH_SECRET. Copy this file to .env, which npm start reads.

${sections.join("\n")}`,
);

for (const [file, text] of Object.entries(clientFiles())) writeFileSync(file, text);

for (const document of documents) {
  writeFileSync(document, withFigures(readFileSync(document, "utf8")));
}

// `npm run docs`: writes the README's configuration table and .env.example from lib/config/environment.ts.
import { readFileSync, writeFileSync } from "node:fs";
import { environment } from "@/lib/config/environment";

const variables = Object.entries(environment);
const rows = variables.map(
  ([name, { default: value, meaning }]) => `| \`${name}\` | ${value} | ${meaning} |`,
);
const table = ["| Variable | Default | Meaning |", "| --- | --- | --- |", ...rows].join("\n");
const readme = readFileSync("README.md", "utf8");
writeFileSync(
  "README.md",
  readme.replace(/^\| Variable \|.*\n(?:\|.*\n)*/m, () => `${table}\n`),
);

const sections = variables.map(
  ([name, { default: value, meaning }]) => `# ${meaning}\n# Default: ${value}\n#${name}=\n`,
);
writeFileSync(
  ".env.example",
  `# Every variable that the service reads. All are optional on your own machine; a server for others
# needs BASE_URL and SERVER_SECRET. Nothing loads this file by itself: set -a; . ./.env; set +a

${sections.join("\n")}`,
);

// Part of `npm run check`: in lib/, a folder may import only from those below it in this list.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const LAYERS = [
  "site",
  "api",
  "docs",
  "mcp",
  "upkeep",
  "limits",
  "search",
  "notices",
  "overview",
  "subscriptions",
  "backup",
  "changes",
  "claims",
  "schedules",
  "webhooks",
  "inboxes",
  "messages",
  "artifacts",
  "tasks",
  "agent-auth",
  "oauth",
  "me",
  "metrics",
  "health",
  "forms",
  "operations",
  "resources",
  "accounts",
  "mail",
  "outbound",
  "bodies",
  "http",
  "db",
  "embedded-postgres",
  "telemetry",
  "config",
  "addresses.ts",
  "errors.ts",
  "caller.ts",
  "primary.ts",
  "process.ts",
];

const files = readdirSync("lib", { recursive: true }).filter((name) => name.endsWith(".ts"));
const problems = files.flatMap((name) => {
  const file = join("lib", name);
  return importsOf(file).flatMap((target) => {
    const [from, to] = [layerOf(file), layerOf(target)];
    if (rank(from) <= rank(to)) return [];
    return [
      `${file}: ${from} may not import ${to}, which is above it in scripts/check-layers.mjs.`,
    ];
  });
});
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);

/** The files of lib/ that `file` imports. */
function importsOf(file) {
  const specifiers = readFileSync(file, "utf8").matchAll(/(?:from|import) *\(?"(@\/|\.)([^"]+)"/g);
  return Array.from(specifiers, ([, start, rest]) =>
    start === "." ? join(dirname(file), `.${rest}.ts`) : `${rest}.ts`,
  ).filter((target) => target.startsWith("lib/"));
}

/** `accounts` for `lib/accounts/access.ts`; files directly in lib/ are layers themselves. */
function layerOf(file) {
  return file.split("/")[1];
}

function rank(layer) {
  const index = LAYERS.indexOf(layer);
  if (index === -1) throw new Error(`lib/${layer} is missing in scripts/check-layers.mjs.`);
  return index;
}

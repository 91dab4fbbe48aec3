// Runs `npm run create-key` and similar commands, from the sources or, after `npm ci --omit=dev`,
// from the build.
import "./environment.mjs";
import { existsSync } from "node:fs";
import { argumentsOf, refuse } from "./arguments.mjs";

/** Errors whose message is meant for the operator. */
const FORESEEN = ["BackupError", "ConfigError", "EmbeddedPostgresError", "MigrationError"];

const [, , name, ...args] = process.argv;
const { usage, options, operands, run } = await commandNamed(name);
const { values, positionals } = argumentsOf(usage, { args, options, ...operands });
await run(values, positionals).catch((error) => {
  if (error?.name === "UsageError") refuse(error.message, usage);
  if (!FORESEEN.includes(error?.name)) throw error;
  console.error(error.message);
  process.exit(1);
});

async function commandNamed(name) {
  if (!existsSync("node_modules/tsx")) return import(`../dist/scripts/${name}.js`);
  await import("./generate.mjs");
  const { register } = await import("tsx/esm/api");
  register();
  return import(`./${name}.ts`);
}

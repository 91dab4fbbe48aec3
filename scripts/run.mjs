// Runs `npm run create-key` and similar commands, from the sources or, after `npm ci --omit=dev`,
// from the build.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";

/** Errors whose message is meant for the operator. */
const FORESEEN = ["BackupError", "ConfigError", "EmbeddedPostgresError", "MigrationError"];

const [, , name, ...args] = process.argv;
const { usage, options = {}, run } = await commandNamed(name);
await act(parsed()).catch((error) => {
  if (error?.name === "UsageError") refuse(error.message);
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

function parsed() {
  const help = { type: "boolean", short: "h", default: false };
  try {
    return parseArgs({ args, allowPositionals: true, options: { ...options, help } });
  } catch (error) {
    return refuse(error.message.replace(/ To specify .*/s, "")); // its advice is for commands with such names
  }
}

async function act({ values, positionals }) {
  if (values.help) console.log(usage);
  else await run({ values, positionals });
}

/** Refuses arguments that the command does not have: it must not act on the rest of them. */
function refuse(problem) {
  console.error(`${problem}\n\n${usage}`);
  process.exit(1);
}

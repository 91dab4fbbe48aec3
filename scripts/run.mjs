// Runs `npm run create-key` and similar commands from the build or, if there is none or the sources are
// newer, from the sources, which takes a second longer.
import "./environment.mjs";
import { existsSync } from "node:fs";
import { argumentsOf, refuse } from "./arguments.mjs";
import { filesBelow, modified, newest } from "./modified.mjs";

const [, , name, ...args] = process.argv;
const { usage, options, operands, run } = await commandNamed(name);
const { values, positionals } = argumentsOf(usage, { args, options, ...operands });
await run(values, positionals).catch((error) => {
  if (error?.name === "UsageError") refuse(error.message, usage);
  if (error?.name !== "OperatorError") throw error;
  console.error(error.message);
  process.exit(1);
});

async function commandNamed(name) {
  const built = `dist/scripts/${name}.js`;
  if (!existsSync("node_modules/tsx") || modified(built) > newest(sources())) {
    return import(`../${built}`);
  }
  await import("./generate.mjs");
  const { register } = await import("tsx/esm/api");
  register();
  return import(`./${name}.ts`);
}

function sources() {
  return ["package-lock.json", ...["lib", "scripts", "prisma"].flatMap(filesBelow)];
}

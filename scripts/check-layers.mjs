// Part of `npm run check`: in lib/, a wing may import only from itself and from those below it in this list.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const WINGS = ["docs", "api", "upkeep", "resources", "identity", "platform"];

const files = readdirSync("lib", { recursive: true }).filter((name) => name.endsWith(".ts"));
const problems = files.flatMap((name) => {
  const file = join("lib", name);
  return importsOf(file).flatMap((target) => {
    const [from, to] = [wingOf(file), wingOf(target)];
    if (WINGS.indexOf(from) <= WINGS.indexOf(to)) return [];
    return [`${file}: lib/${from} may not import ${target}, which is in a wing above it.`];
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

/** `identity` for `lib/identity/access.ts`. */
function wingOf(file) {
  const wing = file.split("/")[1];
  if (!WINGS.includes(wing)) throw new Error(`${file}: lib/ has only the folders ${WINGS}.`);
  return wing;
}

// Part of `npm run check`. In lib/, a layer may import only from itself and from those below it in this list,
// and only the folder that owns a table names it.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const LAYERS = ["docs", "api", "upkeep", "resources", "identity", "platform"];

/** Files and folders that name tables of others, and why. */
const EXCEPTIONS = [
  // Reports.
  ["lib/resources/overview/", "one page sums up all kinds"],
  ["lib/resources/notices/digest.ts", "one mail sums up all kinds"],
  ["lib/resources/storage/stored-bytes-sum.ts", "one sum covers all kinds"],
  ["lib/resources/webhooks/", "pages of an endpoint join what became of its events"],
  ["lib/upkeep/", "health, metrics, the sweep and backups look at everything"],
  // One statement, because a second one would be too late or too slow.
  ["lib/resources/change.ts", "each kind records its changes in its own statements"],
  ["lib/resources/changes/", "a row of the organization says which changes are gone"],
  [
    "lib/resources/tasks/notes.ts",
    "a note keeps the name of its key, and finds that of its person",
  ],
  ["lib/resources/tasks/ready-topic.ts", "a row of the organization says that somebody waits"],
  ["lib/resources/artifacts/share-link.ts", "a link and its entry in the log are one statement"],
  ["lib/resources/notices/settings.ts", "only members get notices"],
  ["lib/resources/notices/question-notices.ts", "takes what to tell whom, once"],
  ["lib/resources/messages/lease.ts", "a lease reads the secret that signs the message"],
  ["lib/resources/messages/signing", "the secret's version is the organization's"],
  ["lib/resources/subscriptions/advance.ts", "one read of keys and messages of all subscriptions"],
  ["lib/resources/schedules/run.ts", "marks the event that a run has sent"],
  ["lib/resources/storage/stored-bytes.ts", "counts nothing for an organization that is gone"],
];

const files = readdirSync("lib", { recursive: true })
  .filter((name) => name.endsWith(".ts") && !name.includes("/generated/"))
  .map((name) => join("lib", name));
const tables = readTables();
const unused = new Set(EXCEPTIONS.map(([where]) => where));
const problems = files.flatMap((file) => [...importProblems(file), ...tableProblems(file)]);
for (const where of unused)
  problems.push(`${where} names no table of others: delete its exception.`);
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);

function importProblems(file) {
  return importsOf(file).flatMap((target) => {
    const [from, to] = [layerOf(file), layerOf(target)];
    if (LAYERS.indexOf(from) <= LAYERS.indexOf(to)) return [];
    return [`${file}: lib/${from} may not import ${target}, which is in a layer above it.`];
  });
}

function tableProblems(file) {
  const text = readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|^ *(?:\/\/|--)[^\n]*/gm, "");
  return tables.flatMap(({ name, folder, pattern }) => {
    if (file.startsWith(`${folder}/`) || !pattern.test(text)) return [];
    const [where] = EXCEPTIONS.find(([where]) => file.startsWith(where)) ?? [];
    if (where && unused.delete(where) !== undefined) return [];
    return [`${file} names the table ${name}, which belongs to ${folder}: ask its code.`];
  });
}

/** The tables of prisma/schema.prisma, where comments such as `// lib/identity` name the owners. */
function readTables() {
  const schema = readFileSync("prisma/schema.prisma", "utf8");
  let folder = "";
  return Array.from(
    schema.matchAll(/^\/\/ (lib\/\S+)$|^model (\w+) \{.*?@@map\("(\w+)"\)/gms),
    ([, heading, model, name]) => {
      folder = heading ?? folder;
      if (!model) return [];
      const member = model[0].toLowerCase() + model.slice(1);
      const sql = `(?:(?:FROM|JOIN|INTO|UPDATE|USING)\\s+(?:ONLY\\s+)?|table: sql\`)${name}\\b`;
      return [{ name, folder, pattern: RegExp(`${sql}|\\b(?:prisma|tx|db)\\.${member}\\b`) }];
    },
  ).flat();
}

function importsOf(file) {
  const specifiers = readFileSync(file, "utf8").matchAll(/(?:from|import) *\(?"(@\/|\.)([^"]+)"/g);
  return Array.from(specifiers, ([, start, rest]) =>
    start === "." ? join(dirname(file), `.${rest}.ts`) : `${rest}.ts`,
  ).filter((target) => target.startsWith("lib/"));
}

/** `identity` for `lib/identity/access.ts`. */
function layerOf(file) {
  const layer = file.split("/")[1];
  if (!LAYERS.includes(layer)) throw new Error(`${file}: lib/ has only the folders ${LAYERS}.`);
  return layer;
}

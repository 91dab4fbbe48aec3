// `npm run test:previous -- [REF] [TESTS…]`: runs the API tests of the previous version, with its
// own code, on the schema of this one. REF defaults to the last tag, or else to the last commit
// that lacked some of these migrations and had no others.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { argumentsOf } from "./arguments.mjs";
import { linkPackages } from "./link-packages.mjs";

const { positionals: given } = argumentsOf(
  `Usage: npm run test:previous -- [REF] [TESTS…]

Runs the API tests of the previous version, with its own code, on the schema of this one.`,
  { max: Number.POSITIVE_INFINITY },
);
const ref = given[0]?.includes("/") ? previous() : (given.shift() ?? previous());
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "previous-version-"));
fs.chmodSync(folder, 0o755);
let status = 1;
try {
  console.log(`The version of ${git("log", "-1", "--format=%h, %s", ref)}`);
  const archive = execFileSync("git", ["archive", ref], { maxBuffer: 1e9 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  copyMigrations();
  installPackages();
  status = testWithNewSchema();
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
process.exit(status);

function testWithNewSchema() {
  const status = run(process.execPath, ["scripts/build.mjs"]);
  return status === 0 ? run("npx", ["playwright", "test", "--project=api", ...given]) : status;
}

function previous() {
  const [tag] = git("tag", "--list", "v*", "--sort=-creatordate").split("\n");
  if (tag) return tag;
  const changes = git("log", "--first-parent", "--format=%H^", "--", "prisma/migrations");
  const before = changes.split("\n").find(isExtended);
  if (before) return before;
  throw new Error("No earlier version has some of these migrations and no others.");
}

/** Whether this version has all migrations of that one, and more: others were abandoned. */
function isExtended(ref) {
  const theirs = migrationsOf(ref);
  const ours = migrationsOf("HEAD");
  return theirs.length < ours.length && theirs.every((file) => ours.includes(file));
}

function migrationsOf(ref) {
  const files = git("ls-tree", "-r", ref, "prisma/migrations").split("\n");
  return files.filter((file) => file.endsWith("/migration.sql"));
}

/** Lets the previous version create this version's schema. */
function copyMigrations() {
  const migrations = path.join(folder, "prisma/migrations");
  fs.rmSync(migrations, { recursive: true });
  fs.cpSync("prisma/migrations", migrations, { recursive: true });
}

function installPackages() {
  const lock = "package-lock.json";
  if (fs.readFileSync(lock, "utf8") === fs.readFileSync(path.join(folder, lock), "utf8")) {
    linkPackages(folder);
  } else if (run("npm", ["ci"]) !== 0) process.exit(1);
}

function run(program, argv) {
  return spawnSync(program, argv, { cwd: folder, stdio: "inherit" }).status ?? 1;
}

function git(...argv) {
  return execFileSync("git", argv, { encoding: "utf8" }).trim();
}

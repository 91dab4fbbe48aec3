import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Enough to tell commits apart; a page has the ID in the URL of each of its files. */
const LENGTH = 12;

const FOLDERS = ["app", "components", "lib", "packages", "prisma", "server"];

/**
 * An ID that differs between versions and is the same on all machines. It is the commit, from the
 * environment (if an image is built without the repository) or from git; otherwise a digest of the
 * sources.
 */
export function deploymentId(root = process.cwd()) {
  const { COMMIT } = process.env;
  if (COMMIT) return shortened(COMMIT.replaceAll(/[^\w-]/g, "-"));
  const git = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" });
  return git.status === 0 ? shortened(git.stdout.trim()) : digestOfSources(root);
}

/** The first digits of a commit; any other name as it is. @param {string} name */
function shortened(name) {
  return /^[0-9a-f]{40}$/.test(name) ? name.slice(0, LENGTH) : name;
}

/** @param {string} root */
function digestOfSources(root) {
  const digest = createHash("sha256");
  for (const file of ["package-lock.json", ...FOLDERS.flatMap((folder) => filesIn(root, folder))]) {
    digest.update(`${file}\0`).update(readFileSync(join(root, file)));
  }
  return digest.digest("hex").slice(0, LENGTH);
}

/** @param {string} root @param {string} folder */
function filesIn(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

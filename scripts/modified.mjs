// Whether a build is older than its sources.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

export function newest(files) {
  return Math.max(...files.map(modified));
}

/** When a file was changed, or 0 if there is none. */
export function modified(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import path from "node:path";

/**
 * Gives a copy of the repository the packages of this one, as hard links: Next follows no symbolic link
 * out of the folder that it builds. On another disk a symbolic link must do, and no pages can be built.
 *
 * @param {string} folder
 */
export function linkPackages(folder) {
  const packages = path.resolve("node_modules");
  try {
    execFileSync("cp", ["-al", packages, folder], { stdio: "ignore" });
  } catch {
    const place = path.join(folder, "node_modules");
    rmSync(place, { recursive: true, force: true });
    symlinkSync(packages, place);
  }
}

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";

/** Installs packages as root on Debian, and does nothing elsewhere, where the tests report what is missing. */
export async function installPackages(names: string[]): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  if (names.length === 0 || !isRoot || !fs.existsSync("/etc/debian_version")) return;
  const install = `apt-get install -yq --no-install-recommends ${names.join(" ")}`;
  const shell = spawn("sh", ["-c", `apt-get update -q && ${install}`], { stdio: "inherit" });
  const [code] = await once(shell, "exit");
  if (code !== 0) console.error(`apt-get did not install ${names.join(" and ")}; see above.`);
}

/** Where it is not installed, tests of shell commands that read JSON are skipped. */
export function hasJq(): boolean {
  return spawnSync("jq", ["--version"]).status === 0;
}

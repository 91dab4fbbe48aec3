import { spawnSync } from "node:child_process";
import { plainEnvironment, ROOT } from "./servers";

/** Copies what runs of the build into a new folder, as the container image does. */
export function packServer(folder: string): void {
  const { status, stderr } = spawnSync("npm", ["run", "--silent", "pack", "--", folder], {
    cwd: ROOT,
    env: plainEnvironment(),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
}

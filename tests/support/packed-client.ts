import { spawnSync } from "node:child_process";
import path from "node:path";
import { plainEnvironment, ROOT } from "./servers";

/** npm without a registry and without remarks. */
export function offlineNpm(folder: string): Record<string, string> {
  return {
    npm_config_offline: "true",
    npm_config_cache: path.join(folder, "npm-cache"),
    npm_config_userconfig: path.join(folder, "npmrc"),
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
  };
}

export interface PackedClient {
  /** The name of the tarball. */
  filename: string;
  size: number;
  files: { path: string }[];
}

/** Packs the client as npm publishes it, into a folder. One at a time: packing builds. */
export function packClient(folder: string): PackedClient {
  const { status, stdout, stderr } = spawnSync(
    "npm",
    ["pack", "--json", "--silent", "--pack-destination", folder],
    {
      cwd: path.join(ROOT, "packages/client"),
      env: { ...plainEnvironment(), ...offlineNpm(folder) },
      encoding: "utf8",
    },
  );
  if (status !== 0) throw new Error(`The client could not be packed:\n${stdout}\n${stderr}`);
  // The build may write before npm does.
  const [packed] = JSON.parse(stdout.replace(/^[^[]*/, ""));
  return packed;
}

// What every script that reads settings imports first. It refuses an old Node.js, and reads `.env`, or
// the file that ENV_FILE names. Variables that are set already win.
import cluster from "node:cluster";
import { existsSync } from "node:fs";
import { resolve } from "node:path";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19) || (major === 22 && minor < 12)) {
  refuse(`Node.js ${process.versions.node} is too old: install 20.19, 22.12 or 24.`);
}

const { ENV_FILE } = process.env;
const file = ENV_FILE || ".env";
// The other processes of a server inherit its settings, even if the file has changed since.
if (cluster.isPrimary && (ENV_FILE || existsSync(file))) {
  // An empty variable counts as unset.
  for (const [name, value] of Object.entries(process.env)) {
    if (value === "") delete process.env[name];
  }
  try {
    process.loadEnvFile(file);
  } catch (error) {
    refuse(`${ENV_FILE ? "ENV_FILE: " : ""}${resolve(file)} cannot be read (${error.code}).`);
  }
}

function refuse(problem) {
  console.error(problem);
  process.exit(1);
}

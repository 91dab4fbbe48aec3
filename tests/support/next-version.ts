import fs from "node:fs";
import path from "node:path";
import { everyAction } from "./actions";
import { packServer } from "./packed-server";
import { freePort, launchServer, makeTemporaryFolder, waitUntilHealthy } from "./servers";

/**
 * Starts the next version of the servers at `BASE_URL`: a copy of the build with the ID of another
 * commit, in which these actions have other names. Returns the server and a function that stops it.
 */
export async function startNextVersion(environment: Record<string, string>, renamed: string[]) {
  const folder = makeTemporaryFolder();
  const root = path.join(folder, "next version");
  packServer(root);
  for (const name of renamed) renameAction(root, name);
  edit(path.join(root, ".next/required-server-files.json"), (text) =>
    text.replace(/"deploymentId": ?"[^"]+"/, '"deploymentId":"next-version"'),
  );
  const server = launchServer(["scripts/start.mjs"], await freePort(), environment, { cwd: root });
  await waitUntilHealthy(server);
  return {
    server,
    async stop() {
      await server.stop();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

function renameAction(root: string, name: string) {
  const ids = everyAction().flatMap((action) => (action.name === name ? [action.id] : []));
  for (const file of ["server-reference-manifest.json", "server-reference-manifest.js"]) {
    edit(path.join(root, ".next/server", file), (text) =>
      // The first two digits say which arguments the action uses.
      ids.reduce((all, id) => all.replaceAll(id, id.slice(0, 2) + "0".repeat(id.length - 2)), text),
    );
  }
}

function edit(file: string, change: (text: string) => string) {
  fs.writeFileSync(file, change(fs.readFileSync(file, "utf8")));
}

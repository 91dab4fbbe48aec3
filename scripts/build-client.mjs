// Part of `npm run build`: packs the client as npm publishes it, into dist/client.tgz.
import { spawnSync } from "node:child_process";
import { mkdirSync, renameSync } from "node:fs";

mkdirSync("dist", { recursive: true });
const argv = ["pack", "--json", "--silent", "--workspace=packages/client"];
const { status, stdout, stderr } = spawnSync("npm", [...argv, "--pack-destination=dist"], {
  encoding: "utf8",
});
if (status !== 0) {
  console.error(`The client could not be packed:\n${stdout}${stderr}`);
  process.exit(1);
}
// The build of the package may write before npm does.
const [{ filename }] = JSON.parse(stdout.replace(/^[^[]*/, ""));
renameSync(`dist/${filename}`, "dist/client.tgz");

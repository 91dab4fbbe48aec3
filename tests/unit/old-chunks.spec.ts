import fs from "node:fs";
import path from "node:path";
import { expect, test } from "playwright/test";
import { removeOldChunks } from "@/scripts/build-server.mjs";
import { makeTemporaryFolder } from "../support/servers";

test("A build removes only chunks that an earlier build wrote more than a day ago", () => {
  const folder = makeTemporaryFolder();
  const write = (name: string, hours: number) => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, "");
    const time = Date.now() / 1000 - hours * 3600;
    fs.utimesSync(file, time, time);
  };
  for (const name of ["chunk-AAAAAAAA.js", "chunk-AAAAAAAA.js.map"]) write(name, 25);
  const kept = ["chunk-BBBBBBBB.js", "client.tgz", "index.js", "written-CCCCCCCC.js"];
  write("chunk-BBBBBBBB.js", 23);
  for (const name of ["client.tgz", "index.js", "written-CCCCCCCC.js"]) write(name, 25);
  removeOldChunks(folder, ["written-CCCCCCCC.js"]);
  expect(fs.readdirSync(folder).sort()).toEqual(kept);
  fs.rmSync(folder, { recursive: true });
});

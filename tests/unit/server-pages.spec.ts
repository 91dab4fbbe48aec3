import fs from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "playwright/test";
import { Pages } from "@/server/pages";
import { makeTemporaryFolder, ROOT } from "../support/servers";

test("Without a build a page is 500, and the server goes on", async () => {
  const pages = new Pages({ dev: false });
  const server = createServer(pages.serve).listen(0);
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const folder = makeTemporaryFolder();
  process.chdir(folder);
  try {
    for (const path of ["/", "/tasks"]) expect((await fetch(url + path)).status).toBe(500);
  } finally {
    process.chdir(ROOT);
    await pages.close();
    server.close();
    fs.rmSync(folder, { recursive: true });
  }
});

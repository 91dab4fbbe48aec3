import os from "node:os";
import { expect, test } from "playwright/test";
import { checkDatabase } from "@/lib/upkeep/health/database";

test("A health check that could not list the migrations lists them the next time", async () => {
  const folder = process.cwd();
  const check = () => checkDatabase().then(JSON.stringify, String);
  process.chdir(os.tmpdir());
  const first = await check().finally(() => process.chdir(folder));
  expect(first).toContain("ENOENT");
  expect(await check()).not.toContain("ENOENT");
});

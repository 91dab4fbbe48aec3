import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "playwright/test";
import { deploymentId } from "@/scripts/deployment-id.mjs";

test("Without a repository, the same sources have the same version, and others another", () => {
  const [one, other] = [makeSources("same"), makeSources("same")];
  const id = deploymentId(one);
  expect(id).toMatch(/^[0-9a-f]{12}$/);
  expect(deploymentId(other)).toBe(id);
  fs.writeFileSync(path.join(other, "lib/file.ts"), "changed");
  expect(deploymentId(other)).not.toBe(id);
  for (const folder of [one, other]) fs.rmSync(folder, { recursive: true });
});

function makeSources(content: string): string {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "sources-"));
  fs.writeFileSync(path.join(root, "package-lock.json"), "{}");
  for (const folder of ["app", "components", "lib", "packages", "prisma", "server"]) {
    fs.mkdirSync(path.join(root, folder));
    fs.writeFileSync(path.join(root, folder, "file.ts"), content);
  }
  return root;
}

import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "../support/browser-fixtures";
import { ROOT } from "../support/servers";

interface Manifest {
  node: Record<string, { filename: string; exportedName: string }>;
}

test("The IDs of server actions follow from the source, so that every build has the same", () => {
  const file = path.join(ROOT, ".next/server/server-reference-manifest.json");
  const { node }: Manifest = JSON.parse(fs.readFileSync(file, "utf8"));
  const salt = createHash("sha256").update("agent-infrastructure").digest("base64");
  expect(Object.keys(node).length).toBeGreaterThan(40);
  for (const [id, { filename, exportedName }] of Object.entries(node)) {
    const name = `${salt}${filename}:${exportedName}`;
    expect(id.slice(2)).toBe(createHash("sha1").update(name).digest("hex"));
  }
});

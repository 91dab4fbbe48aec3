import fs from "node:fs";
import path from "node:path";
import { expect, test } from "playwright/test";
import { ROOT } from "../support/servers";

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), "utf8");

/** A migration that adds one would make the prepared statement fail on servers that still run. */
test("No statement returns all columns of a table", () => {
  const models = read("prisma/schema.prisma").matchAll(/@@map\("(\w+)"\)/g);
  const tables = new Set(Array.from(models, ([, name]) => name));
  const sources = fs
    .readdirSync(path.join(ROOT, "lib"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.includes("/generated/"));
  const found = sources.flatMap((file) =>
    [...read(`lib/${file}`).matchAll(/sql`\s*SELECT (?:\w+\.)?\*[\s\S]*?\bFROM (\S+)/g)]
      .filter(([, from]) => tables.has(from))
      .map(([text]) => `${file}: ${text}`),
  );
  expect(tables.size).toBeGreaterThan(20);
  expect(found).toEqual([]);
});

import fs from "node:fs";
import path from "node:path";
import { transformSync } from "esbuild";
import { expect, test } from "playwright/test";
import { FAULTS } from "../history/faults";
import { ROOT } from "../support/servers";

/** What `npm run history -- --planted` replaces, which ends in the middle of its run otherwise. */

test("Each planted fault breaks a text that the server, or the function that it names, has once", () => {
  const server = ["lib", "server"].flatMap(filesIn).map(builtText).join("\n");
  const migrations = filesIn("prisma/migrations").filter((file) => file.endsWith("migration.sql"));
  const sql = migrations.map((file) => fs.readFileSync(file, "utf8")).join("\n");
  const found = FAULTS.map(({ name, of, from }) => {
    const source = of === undefined ? server : currentFunction(sql, of);
    return [name, source.split(from).length - 1];
  });
  expect(found).toEqual(FAULTS.map(({ name }) => [name, 1]));
});

function filesIn(folder: string): string[] {
  return fs
    .readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|sql)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.includes("/generated/"))
    .sort();
}

/** The text of a source as the build of the server has it. */
function builtText(file: string): string {
  return transformSync(fs.readFileSync(file, "utf8"), { loader: "ts", target: "node20" }).code;
}

/** The last definition of a function of the database, to the end of its body. */
function currentFunction(sql: string, name: string): string {
  const definitions = [
    ...sql.matchAll(/^CREATE (?:OR REPLACE )?FUNCTION (\w+)\([\s\S]*?^(?:END )?\$\$/gm),
  ];
  return definitions.findLast(([, defined]) => defined === name)?.[0] ?? "";
}

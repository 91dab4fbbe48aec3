import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { startEmbeddedPostgres } from "@/lib/platform/embedded-postgres/start";
import { argumentsOf, refuse } from "./arguments.mjs";
import { diffSql } from "./prisma-diff";

const USAGE = `Usage: npm run migration -- NAME | --check

Writes the migration NAME that prisma/schema.prisma needs. With --check, fails when one is missing.`;

const { values, positionals } = argumentsOf(USAGE, {
  max: 1,
  options: { check: { type: "boolean", default: false } },
});
const [name] = positionals;
if (!values.check && !/^[a-z0-9_]{1,100}$/.test(name ?? "")) {
  refuse("NAME consists of a-z, 0-9 and _.", USAGE);
}

const sql = await diffOnTemporaryServer();
if (sql === null) console.log("The migrations match the schema: nothing to do.");
else if (values.check) {
  console.error(`The schema is ahead of the migrations: npm run migration -- NAME\n\n${sql}`);
  process.exitCode = 1;
} else console.log(`Wrote ${await writeMigration(`${timestamp()}_${name}`, sql)}. Read it.`);

async function diffOnTemporaryServer(): Promise<string | null> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "make-migration-"));
  try {
    const server = await startEmbeddedPostgres({ dataDir });
    try {
      return diffSql({ url: server.url });
    } finally {
      await server.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function writeMigration(folder: string, sql: string): Promise<string> {
  const file = path.join("prisma", "migrations", folder, "migration.sql");
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, withByteOrder(sql));
  return file;
}

/** Compares IDs and foreign keys byte by byte, which Prisma's schema language cannot express. */
function withByteOrder(sql: string): string {
  const foreignKeys = [...sql.matchAll(/FOREIGN KEY \("(\w+)"\)/g)].map(([, name]) => name);
  return sql.replaceAll(/"(\w+)" TEXT\b/g, (column, name) =>
    name === "id" || foreignKeys.includes(name) ? `${column} COLLATE "C"` : column,
  );
}

/** A timestamp in Prisma's format, such as 20261121075958. */
function timestamp(): string {
  return new Date().toISOString().replace(/\D/g, "").slice(0, 14);
}

import { execFile } from "node:child_process";
import fs from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { assertMigrated, migrate } from "@/lib/platform/db/migrate";
import { diffSql } from "../../scripts/prisma-diff";
import { test as base, expect, query } from "../support/fault-fixtures";
import { ROOT } from "../support/servers";

const SCHEMA = `datasource db {
  provider = "postgresql"
}
model Task {
  id    String @id
  title String
}
`;

/** `url` is an empty database, `root` an empty project. */
const test = base.extend<{ url: string; root: string }>({
  url: async ({ makeEmptyDatabase }, use) => use(await makeEmptyDatabase()),
  root: async ({ folder }, use) => use(folder),
});

test.describe.configure({ timeout: 180_000 });

test("Migrations are applied once, in the order of their names", async ({ url, root }) => {
  await write(root, "2_second", "INSERT INTO fact VALUES (2); INSERT INTO fact VALUES (3);");
  await write(root, "1_first", "CREATE TABLE fact (n int);\nINSERT INTO fact VALUES (1);");
  expect(await migrate({ url, root })).toEqual(["1_first", "2_second"]);
  expect(await migrate({ url, root })).toEqual([]);
  expect(await query(url, "SELECT n FROM fact ORDER BY n")).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test("When servers migrate together, all succeed and none does it twice", async ({ url, root }) => {
  const names = Array.from({ length: 9 }, (_, index) => `${index + 1}_step`);
  for (const name of names) await write(root, name, `CREATE TABLE "${name}" (n int)`);
  const applied = await Promise.all([1, 2, 3].map(() => migrate({ url, root })));
  expect(applied.flat().sort()).toEqual(names);
  expect(await query(url, "SELECT FROM _prisma_migrations")).toHaveLength(names.length);
});

test("A failed migration is reported with its line and rolled back", async ({ url, root }) => {
  await write(root, "1_good", "CREATE TABLE good (n int)");
  await write(root, "2_bad", "CREATE TABLE half (n int);\n\nCREATE TABL worse (n int);");
  await write(root, "3_later", "CREATE TABLE later (n int)");
  await expect(migrate({ url, root })).rejects.toThrow(
    /^Migration 2_bad failed and was rolled back: syntax error.*\(line 3\)\.$/,
  );
  const tables = await query(
    url,
    "SELECT to_regclass('good') AS good, to_regclass('half') AS half",
  );
  expect(tables).toEqual([{ good: "good", half: null }]);
  await write(root, "2_bad", "CREATE TABLE half (n int)");
  expect(await migrate({ url, root })).toEqual(["2_bad", "3_later"]);
});

test("A migration that lost its connection is applied by the next", async ({ url, root }) => {
  await write(root, "1_slow", "CREATE TABLE slow (n int); SELECT pg_sleep(600);");
  const cut = migrate({ url, root }).catch(String);
  const findSleeper =
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
  await expect.poll(() => query(url, findSleeper), { timeout: 30_000 }).toHaveLength(1);
  await query(url, `SELECT pg_terminate_backend(pid) FROM (${findSleeper}) AS sleeper`);
  expect(await cut).toContain("Migration 1_slow failed");
  await write(root, "1_slow", "CREATE TABLE slow (n int)");
  expect(await migrate({ url, root })).toEqual(["1_slow"]);
});

test("A migration gives up its lock in time, lets others use the table, and tries again", async ({
  url,
  root,
}) => {
  await query(url, "CREATE TABLE busy (n int)");
  await write(root, "1_busy", "ALTER TABLE busy ADD COLUMN m int");
  const holder = new pg.Client(url);
  await holder.connect();
  await holder.query("BEGIN; SELECT FROM busy");
  const log: string[] = [];
  const migrating = migrate({ url, root, lockMsMax: 200, log: (line) => log.push(line) });
  await expect.poll(() => log.length).toBeGreaterThan(1);
  expect(log[0]).toMatch(
    /^Migration 1_busy failed .* another transaction holds a lock.* Trying again\.$/,
  );
  expect(await query(url, "SELECT FROM busy")).toEqual([]);
  await holder.query("COMMIT");
  expect(await migrating).toEqual(["1_busy"]);
  await holder.end();
});

test("Several servers build an index once, while the table is written", async ({ url, root }) => {
  await query(url, "CREATE TABLE busy (n int)");
  const index = `-- Both; with a comment.
CREATE INDEX CONCURRENTLY IF NOT EXISTS busy_n ON busy (n);
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "busy_once" ON busy (n);`;
  await write(root, "1_index", index);
  await write(root, "2_drop", "DROP INDEX CONCURRENTLY IF EXISTS busy_n;");
  const writer = new pg.Client(url);
  await writer.connect();
  // The build waits for this transaction, and nobody waits for the build.
  await writer.query("BEGIN; INSERT INTO busy VALUES (1)");
  const migrating = Promise.all([1, 2, 3].map(() => migrate({ url, root, lockMsMax: 200 })));
  const building = "SELECT FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONCURRENTLY%'";
  await expect.poll(() => query(url, building)).toHaveLength(1);
  await query(url, "INSERT INTO busy VALUES (2)");
  await writer.query("COMMIT");
  expect((await migrating).flat().sort()).toEqual(["1_index", "2_drop"]);
  const indexes = "SELECT to_regclass('busy_n') AS n, to_regclass('busy_once') AS once";
  expect(await query(url, indexes)).toEqual([{ n: null, once: "busy_once" }]);
  await writer.end();
});

test("A build that a killed server has left running is awaited, and not repeated", async ({
  url,
  root,
}) => {
  await query(url, "CREATE TABLE busy (n int)");
  const build = "CREATE INDEX CONCURRENTLY IF NOT EXISTS busy_n ON busy (n)";
  await write(root, "1_index", `${build};`);
  const writer = new pg.Client(url);
  await writer.connect();
  await writer.query("BEGIN; INSERT INTO busy VALUES (1)");
  const killed = new pg.Client(url);
  await killed.connect();
  const cut = killed.query(build).catch(String);
  const indexes = "SELECT indexrelid, indisvalid FROM pg_index WHERE indrelid = 'busy'::regclass";
  await expect.poll(() => query(url, indexes)).toHaveLength(1);
  const [begun] = await query(url, indexes);
  // Closes the socket in the middle of the statement, of which Postgres hears only at its end.
  await killed.end();
  await cut;
  const log: string[] = [];
  const migrating = migrate({ url, root, log: (line) => log.push(line) });
  await expect.poll(() => log).toHaveLength(1);
  await writer.query("COMMIT");
  expect(await migrating).toEqual(["1_index"]);
  expect(await query(url, indexes)).toEqual([{ ...begun, indisvalid: true }]);
  await writer.end();
});

test("An index whose concurrent build failed is built again", async ({ url, root }) => {
  await query(url, "CREATE TABLE twice (n int); INSERT INTO twice VALUES (1), (1)");
  await write(root, "1_index", "CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS once ON twice (n)");
  await expect(migrate({ url, root })).rejects.toThrow(
    /^Migration 1_index failed: could not create/,
  );
  await query(url, "TRUNCATE twice");
  expect(await migrate({ url, root })).toEqual(["1_index"]);
  const isValid = "SELECT indisvalid FROM pg_index WHERE indexrelid = 'once'::regclass";
  expect(await query(url, isValid)).toEqual([{ indisvalid: true }]);
});

test("A concurrent migration may have nothing else", async ({ url, root }) => {
  await write(root, "1_mixed", "DROP INDEX CONCURRENTLY IF EXISTS x; CREATE TABLE y (n int)");
  await expect(migrate({ url, root })).rejects.toThrow("1_mixed has CONCURRENTLY");
});

test("A migration that was changed after it was applied is refused", async ({ url, root }) => {
  await write(root, "1_first", "CREATE TABLE first (n int)");
  await migrate({ url, root });
  await write(root, "1_first", "CREATE TABLE first (n bigint)");
  await write(root, "2_second", "CREATE TABLE second (n int)");
  await expect(migrate({ url, root })).rejects.toThrow("1_first has been changed");
  await expect(assertMigrated({ url, root })).rejects.toThrow("1_first has been changed");
  expect(await query(url, "SELECT to_regclass('second') AS second")).toEqual([{ second: null }]);
});

test("A schema newer than the code is refused, unless others migrate", async ({ url, root }) => {
  await write(root, "1_first", "CREATE TABLE first (n int)");
  await write(root, "2_second", "CREATE TABLE second (n int)");
  await expect(assertMigrated({ url, root })).rejects.toThrow("lacks migration 1_first and 1 more");
  await migrate({ url, root });
  await fs.rm(path.join(root, "prisma/migrations/2_second"), { recursive: true });
  await expect(migrate({ url, root })).rejects.toThrow(
    /newer than this version, which does not know 2_second\./,
  );
  await assertMigrated({ url, root });
  expect(await migrate({ url, root, allowNewer: true })).toEqual([]);
  await write(root, "3_third", "CREATE TABLE third (n int)");
  const apart = /does not know 2_second\. .* It lacks 3_third\.$/;
  await expect(migrate({ url, root, allowNewer: true })).rejects.toThrow(apart);
  await expect(assertMigrated({ url, root })).rejects.toThrow(apart);
});

test("A database that is not UTF-8 is refused", async ({ url, root }) => {
  const other = new URL(url);
  other.pathname += "_latin1";
  const encoding = "ENCODING 'LATIN1' LOCALE 'C' LOCALE_PROVIDER libc";
  await query(url, `CREATE DATABASE ${other.pathname.slice(1)} ${encoding} TEMPLATE template0`);
  await write(root, "1_first", "CREATE TABLE first (n int)");
  await expect(migrate({ url: other.href, root })).rejects.toThrow("has the encoding LATIN1");
});

test("Prisma accepts the migration history", async ({ url, root }) => {
  await write(root, "1_first", 'CREATE TABLE "Task" ("id" TEXT NOT NULL PRIMARY KEY);\n');
  await write(root, "2_second", 'ALTER TABLE "Task" ADD COLUMN "title" TEXT NOT NULL;\n');
  await migrate({ url, root });
  await writeSchema(root);
  await write(root, "3_third", 'ALTER TABLE "Task" ADD COLUMN "done" BOOLEAN;\n');
  expect(await prismaDeploy({ url, root })).toContain("have been applied");
  expect(await migrate({ url, root })).toEqual([]);
});

test("The generated migration fits the schema, and a second is empty", async ({ url, root }) => {
  await writeSchema(root);
  const sql = diffSql({ url, root });
  expect(sql).toContain('CREATE TABLE "Task"');
  await write(root, "1_init", `${sql}CREATE INDEX partial ON "Task" (id) WHERE title <> '';`);
  expect(diffSql({ url, root })).toBeNull();
});

async function write(root: string, name: string, sql: string): Promise<void> {
  const dir = path.join(root, "prisma/migrations", name);
  await fs.mkdir(dir, { recursive: true });
  await fs.writeFile(path.join(dir, "migration.sql"), sql);
}

/** Writes the schema, and what Prisma wants beside the migrations. */
async function writeSchema(root: string): Promise<void> {
  await fs.mkdir(path.join(root, "prisma/migrations"), { recursive: true });
  await fs.writeFile(path.join(root, "prisma/schema.prisma"), SCHEMA);
  const lock = path.join(root, "prisma/migrations/migration_lock.toml");
  await fs.writeFile(lock, 'provider = "postgresql"\n');
}

/** What `prisma migrate deploy` prints. */
async function prismaDeploy({ url, root }: { url: string; root: string }) {
  const config = { migrations: { path: "prisma/migrations" }, datasource: { url } };
  await fs.writeFile(
    path.join(root, "prisma.config.mjs"),
    `export default ${JSON.stringify(config)}`,
  );
  const cli = path.join(ROOT, "node_modules/prisma/build/index.js");
  const { stdout } = await promisify(execFile)(process.execPath, [cli, "migrate", "deploy"], {
    cwd: root,
    env: {
      ...process.env,
      PRISMA_SCHEMA_ENGINE_BINARY: path.join(ROOT, "scripts/prisma-engine.mjs"),
    },
  });
  return stdout;
}

import fs from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { migrate } from "@/lib/db/migrate";
import { diffSql, openSchemaEngine, readMigrationList } from "@/lib/db/schema-engine";
import { test as base, expect } from "../support/fault-fixtures";

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
  url: async ({ makeDatabase }, use) => use(await makeDatabase()),
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

test("When servers migrate together, all succeed and each migration is applied once", async ({
  url,
  root,
}) => {
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
  expect(
    await query(url, "SELECT to_regclass('good') AS good, to_regclass('half') AS half"),
  ).toEqual([{ good: "good", half: null }]);
  await write(root, "2_bad", "CREATE TABLE half (n int)");
  expect(await migrate({ url, root })).toEqual(["2_bad", "3_later"]);
});

test("A migration interrupted by a lost connection is applied by the next server", async ({
  url,
  root,
}) => {
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

test("Prisma accepts the migration history", async ({ url, root }) => {
  await write(root, "1_first", 'CREATE TABLE "Task" ("id" TEXT NOT NULL PRIMARY KEY);\n');
  await write(root, "2_second", 'ALTER TABLE "Task" ADD COLUMN "title" TEXT NOT NULL;\n');
  await migrate({ url, root });
  const pool = new pg.Pool({ connectionString: url });
  const engine = await openSchemaEngine(pool);
  const filters = { externalTables: [], externalEnums: [] };
  const migrationsList = await readMigrationList(root);
  expect(
    await engine.diagnoseMigrationHistory({
      migrationsList,
      filters,
      optInToShadowDatabase: false,
    }),
  ).toMatchObject({
    editedMigrationNames: [],
    failedMigrationNames: [],
    hasMigrationsTable: true,
    history: null,
  });
  expect(await engine.applyMigrations({ migrationsList, filters })).toEqual({
    appliedMigrationNames: [],
  });
  await write(root, "3_third", 'ALTER TABLE "Task" ADD COLUMN "done" BOOLEAN;\n');
  const withThird = await readMigrationList(root);
  await engine.applyMigrations({ migrationsList: withThird, filters });
  await pool.end();
  expect(await migrate({ url, root })).toEqual([]);
});

test("The generated migration matches the schema, and a second one is empty", async ({
  url,
  root,
}) => {
  await fs.mkdir(path.join(root, "prisma"));
  await fs.writeFile(path.join(root, "prisma/schema.prisma"), SCHEMA);
  const sql = await diffSql({ url, root });
  expect(sql).toContain('CREATE TABLE "Task"');
  await write(root, "1_init", `${sql}CREATE INDEX partial ON "Task" (id) WHERE title <> '';`);
  expect(await diffSql({ url, root })).toBeNull();
});

async function write(root: string, name: string, sql: string): Promise<void> {
  const dir = path.join(root, "prisma/migrations", name);
  await fs.mkdir(dir, { recursive: true });
  await fs.writeFile(path.join(dir, "migration.sql"), sql);
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

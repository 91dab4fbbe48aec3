import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlQuery,
} from "@prisma/driver-adapter-utils";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";

type MigrationList = bindings.ApplyMigrationsInput["migrationsList"];

/**
 * Prisma's schema engine as WebAssembly from npm, since the native binary would have to be
 * downloaded. Used to create migrations and compare histories; the server applies migrations
 * without it. Every connection uses `pool`, which the caller ends.
 */
export async function openSchemaEngine(pool: pg.Pool): Promise<bindings.SchemaEngine> {
  await loadBindings();
  const adapter = await connect(pool);
  const bound = bindMigrationAwareSqlAdapterFactory({
    provider: "postgres",
    adapterName: adapter.adapterName,
    connect: async () => adapter,
    // PrismaPg's version creates a database but, given a connection string, migrates the main one.
    connectToShadowDb: async () => adapter,
  });
  return bindings.SchemaEngine.new({ datamodels: undefined }, () => {}, bound);
}

/**
 * The SQL that brings the migrations in `root` up to `prisma/schema.prisma`; null when they agree.
 * `url` is an empty throwaway database in which the migrations are replayed.
 */
export async function diffSql(options: { url: string; root?: string }): Promise<string | null> {
  const { url, root = process.cwd() } = options;
  const content = await readFile(path.join(root, "prisma", "schema.prisma"), "utf8");
  const pool = new pg.Pool({ connectionString: url });
  try {
    const engine = await openSchemaEngine(pool);
    const { stdout, exitCode } = await engine.diff({
      from: { tag: "migrations", ...(await readMigrationList(root)) },
      to: { tag: "schemaDatamodel", files: [{ path: "schema.prisma", content }] },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    return exitCode === 2 ? stdout : null;
  } finally {
    await pool.end();
  }
}

/** `prisma/migrations` in the schema engine's format. */
export async function readMigrationList(root: string): Promise<MigrationList> {
  const baseDir = path.join(root, "prisma", "migrations");
  const entries = await readdir(baseDir, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return {
    baseDir,
    lockfile: { path: "./migration_lock.toml", content: 'provider = "postgresql"\n' },
    shadowDbInitScript: "",
    migrationDirectories: await Promise.all(
      names.sort().map(async (name) => {
        const value = await readFile(path.join(baseDir, name, "migration.sql"), "utf8");
        const content = { tag: "ok" as const, value };
        return { path: name, migrationFile: { path: "migration.sql", content } };
      }),
    ),
  };
}

const CHAR_OID = 18;
const TIME_OID = 1083;

/**
 * PrismaPg 7.10 rejects the type "char" of the Postgres catalogs, which the engine queries. No
 * catalog has a column of type time, so its OID carries "char" through the adapter.
 */
async function connect(pool: pg.Pool): Promise<SqlDriverAdapter> {
  const query = pool.query.bind(pool);
  const marked = Object.assign(pool, {
    query: async (config: pg.QueryArrayConfig) => {
      const result = await query(config);
      for (const field of result.fields ?? []) {
        if (field.dataTypeID === CHAR_OID) field.dataTypeID = TIME_OID;
      }
      return result;
    },
  });
  const adapter = await new PrismaPg(marked).connect();
  const queryRaw = adapter.queryRaw.bind(adapter);
  return Object.assign(adapter, {
    // PrismaPg's version splits scripts at every semicolon, even in comments and functions.
    executeScript: async (script: string) => {
      // Several statements in one query run as a transaction.
      await query(script.replaceAll(/\bINDEX\s+CONCURRENTLY\b/gi, "INDEX"));
    },
    queryRaw: async (params: SqlQuery) => {
      const { columnTypes, ...result } = await queryRaw(params);
      const { Time, Character } = ColumnTypeEnum;
      return { ...result, columnTypes: columnTypes.map((t) => (t === Time ? Character : t)) };
    },
  });
}

let loading: Promise<void> | null = null;

function loadBindings(): Promise<void> {
  loading ??= load();
  return loading;
}

/** The package's entry imports the .wasm file as a module, which Node 20 does not support. */
async function load(): Promise<void> {
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: reportPanic } });
  const script = createRequire(import.meta.url).resolve(
    "@prisma/schema-engine-wasm/schema_engine_bg",
  );
  const module = await WebAssembly.compile(await readFile(script.replace(/\.js$/, ".wasm")));
  const imports = { "./schema_engine_bg.js": { ...bindings } };
  const { exports } = await WebAssembly.instantiate(module, imports);
  bindings.__wbg_set_wasm(exports);
  if (typeof exports.__wbindgen_start === "function") exports.__wbindgen_start();
}

function reportPanic(message: string): never {
  throw new Error(`Prisma's schema engine panicked: ${message}`);
}

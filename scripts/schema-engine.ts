import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { PrismaPg } from "@prisma/adapter-pg";
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlQuery,
} from "@prisma/driver-adapter-utils";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import type pg from "pg";

/**
 * Prisma's schema engine as WebAssembly from npm, since the native binary would have to be
 * downloaded. Every connection uses `pool`, which the caller ends.
 */
export async function openSchemaEngine(pool: pg.Pool): Promise<bindings.SchemaEngine> {
  await load();
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

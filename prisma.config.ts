import { fileURLToPath } from "node:url";
import { defineConfig } from "prisma/config";
import { databaseUrl } from "./scripts/database-url.mjs";

// Prisma's CLI asks for a native engine, a download; this one is WebAssembly from npm.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(
  new URL("scripts/prisma-engine.mjs", import.meta.url),
);

const url = databaseUrl();

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  ...(url && { datasource: { url } }),
});

// `npm run create-key` and the like: from the sources, or from the build after `npm ci --omit=dev`.
import { existsSync } from "node:fs";

/** Errors whose message is for the operator. */
const FORESEEN = ["BackupError", "ConfigError", "EmbeddedPostgresError", "MigrationError"];

const [name] = process.argv.splice(2, 1);
try {
  if (existsSync("node_modules/tsx")) {
    const { register } = await import("tsx/esm/api");
    register();
    await import(`./${name}.ts`);
  } else {
    await import(`../dist/scripts/${name}.js`);
  }
} catch (error) {
  if (!FORESEEN.includes(error?.name)) throw error;
  console.error(error.message);
  process.exit(1);
}

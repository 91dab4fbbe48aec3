// As scripts/start.mjs, without its look at each source: the global set-up has built.
import "../../scripts/environment.mjs";

process.env.NODE_ENV = "production";
process.env.NEXT_TELEMETRY_DISABLED = "1";

const { start } = await import("../../dist/server/main.js");
await start();

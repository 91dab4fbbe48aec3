// `npm start`: builds if there is no build or the sources are newer, then serves in this process.
// After `npm ci --omit=dev` there are no compilers, and it serves the existing build.
import "./environment.mjs";
import cluster from "node:cluster";
import { argumentsOf } from "./arguments.mjs";

argumentsOf(`Usage: npm start

Builds if the sources are newer than the build, and serves until Ctrl-C. Settings are environment
variables, as in PORT=4000 npm start, or lines of the file .env: see docs/configuration.md.`);

process.env.NODE_ENV = "production";
process.env.NEXT_TELEMETRY_DISABLED = "1";

// The other processes of a running server serve its build, even if the sources have changed since.
if (cluster.isPrimary) await import("./build-if-stale.mjs");
const { start } = await import("../dist/server/main.js");
await start();

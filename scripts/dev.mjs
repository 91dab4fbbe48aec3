// `npm run dev`: runs the server from source, with Next's dev server.
import "./environment.mjs";
import { register } from "tsx/esm/api";
import { argumentsOf } from "./arguments.mjs";
import { buildMarkdownWorker } from "./build-server.mjs";

argumentsOf(`Usage: npm run dev

Serves from the sources, with Next's dev server. The settings are those of npm start.`);
await import("./generate.mjs");

process.env.NODE_ENV = "development";
process.env.NEXT_TELEMETRY_DISABLED = "1";
process.env.VALIDATE_RESPONSES ??= "true";

await buildMarkdownWorker();
register();
await import("./build-docs.ts");
const { start } = await import("../server/main.ts");
await start({ dev: true });

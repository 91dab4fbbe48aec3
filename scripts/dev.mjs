// `npm run dev`: runs the server from source, with Next's dev server.
import { register } from "tsx/esm/api";
import { buildMarkdownWorker } from "./build-markdown-worker.mjs";
import "./generate.mjs";

process.env.NODE_ENV = "development";
process.env.NEXT_TELEMETRY_DISABLED = "1";
process.env.VALIDATE_RESPONSES ??= "true";

await buildMarkdownWorker();
register();
await import("./build-docs.ts");
const { start } = await import("../server/main.ts");
await start({ dev: true });

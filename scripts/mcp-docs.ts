// `npm run docs:mcp`: writes the tables of docs/mcp.md. Starts a server with an empty database,
// runs a session of the SDK's client against it, and then the conformance runner.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argumentsOf } from "./arguments.mjs";

argumentsOf("Usage: npm run docs:mcp\n\nWrites the tables of docs/mcp.md.");

// After the arguments: `--help` need not wait for the whole service.
const { installRunner, runScenarios, tableOf } = await import("../tests/support/mcp-conformance");
const { toolTable } = await import("../tests/support/mcp-documents");
const { fiveJobs, sessionTable } = await import("../tests/support/mcp-session");
const { freePort, startServer } = await import("../tests/support/servers");

const FILE = "docs/mcp.md";

const folder = await mkdtemp(join(tmpdir(), "mcp-docs-"));
const server = await startServer(["scripts/start.mjs"], await freePort(), {
  DATA_DIR: join(folder, "data"),
});
try {
  installRunner();
  const tables = {
    "## Tools": toolTable(),
    "## A session": sessionTable(await fiveJobs(server.baseUrl, "2026-07-28")),
    "## Conformance": tableOf({
      "2026-07-28": await runScenarios(server.baseUrl, "2026-07-28"),
      "2025-11-25": await runScenarios(server.baseUrl, "2025-11-25"),
    }),
  };
  let page = await readFile(FILE, "utf8");
  for (const [heading, table] of Object.entries(tables)) {
    const [before = "", after = ""] = page.split(`\n${heading}\n`);
    page = `${before}\n${heading}\n${after.replace(/(^\|.*\n)+/m, () => `${table}\n`)}`;
  }
  await writeFile(FILE, page);
  console.log(`Wrote the tables of ${FILE}.`);
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

import { startEmbeddedPostgres } from "../../lib/platform/embedded-postgres/start";

// A process that owns an embedded Postgres, for tests that kill it. Prints one line of JSON for each
// event; SIGTERM stops it cleanly.
const [dataDir = ""] = process.argv.slice(2);

try {
  const postgres = await startEmbeddedPostgres({
    dataDir,
    onExit: (exit) => tell({ event: "exit", ...exit }),
  });
  process.once("SIGTERM", async () => {
    await postgres.stop();
    tell({ event: "stopped" });
  });
  tell({ event: "owned", url: postgres.url, adopted: postgres.adopted });
} catch (error) {
  if (!(error instanceof Error)) throw error;
  tell({ event: "refused", name: error.name, message: error.message });
}

function tell(event: object): void {
  console.log(JSON.stringify(event));
}

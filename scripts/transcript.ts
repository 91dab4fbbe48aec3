import { argumentsOf } from "./arguments.mjs";

argumentsOf(
  "Usage: npm run transcript\n\nRecords docs/agent-auth-transcript.md and parts of docs/cli.md and docs/events.md.",
);
await import("./agent-auth-transcript");
await import("./cli-transcript");
await import("./events-transcript");

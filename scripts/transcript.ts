import { argumentsOf } from "./arguments.mjs";

argumentsOf(
  "Usage: npm run transcript\n\nRecords docs/agent-auth-transcript.md and a part of docs/cli.md.",
);
await import("./agent-auth-transcript");
await import("./cli-transcript");

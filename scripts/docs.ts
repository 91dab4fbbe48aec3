// `npm run docs`: writes what is generated from the code (./generated-files.ts).
import { writeFileSync } from "node:fs";
import { argumentsOf } from "./arguments.mjs";

argumentsOf(
  "Usage: npm run docs\n\nWrites the figures and tables of the documents, and .env.example.",
);

// After the arguments: `--help` need not wait for the whole service.
const { generatedFiles } = await import("./generated-files");

for (const [file, text] of Object.entries(generatedFiles())) writeFileSync(file, text);

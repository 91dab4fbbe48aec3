#!/usr/bin/env node
import { createProgram } from "./program.js";
import { report } from "./report.js";

// Read before anything is parsed: it decides how a usage error is written.
const words = process.argv.slice(2);
const end = words.indexOf("--");
const json = words.slice(0, end === -1 ? undefined : end).includes("--json");

// Nobody reads the rest of the output, as with `| head`. That is no failure.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});

try {
  await createProgram(json).parseAsync();
} catch (error) {
  process.exitCode = report(error, json);
}

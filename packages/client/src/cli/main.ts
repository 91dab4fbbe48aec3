#!/usr/bin/env node
import { createProgram } from "./program.js";
import { report } from "./report.js";

// Read before parsing, since it decides how a usage error is printed.
const words = process.argv.slice(2);
const end = words.indexOf("--");
const json = words.slice(0, end === -1 ? undefined : end).includes("--json");

// The reader of the output has closed it, as with `| head`. That is not a failure.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});

try {
  await createProgram(json).parseAsync();
} catch (error) {
  process.exitCode = report(error, json);
}

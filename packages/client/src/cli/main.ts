#!/usr/bin/env node
import { createProgram } from "./program.js";
import { report } from "./report.js";

// Read before parsing, since it decides how a usage error is printed.
const words = process.argv.slice(2);
const end = words.indexOf("--");
const json = words.slice(0, end === -1 ? undefined : end).includes("--json");

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // The reader of the output has closed it, as with `| head`. That is not a failure; a full disk is.
  if (error.code !== "EPIPE") process.exitCode = report(error, false);
});
process.stderr.on("error", () => {});

try {
  await createProgram(json).parseAsync();
} catch (error) {
  process.exitCode = report(error, json) || process.exitCode;
}

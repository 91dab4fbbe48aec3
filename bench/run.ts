import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { argumentsOf, refuse } from "../scripts/arguments.mjs";
import { Stage } from "./stage";
import { capture } from "./subjects/capture";
import { citus } from "./subjects/citus";
import { disk } from "./subjects/disk";
import { dispatch } from "./subjects/dispatch";
import { inboxes } from "./subjects/inboxes";
import { lease } from "./subjects/lease";
import { lists } from "./subjects/lists";
import { next } from "./subjects/next";
import { questions } from "./subjects/questions";
import { replica } from "./subjects/replica";
import { tasks } from "./subjects/tasks";
import { Table } from "./table";

const subjects = {
  disk,
  tasks,
  next,
  capture,
  inboxes,
  dispatch,
  lease,
  lists,
  questions,
  replica,
  citus,
};
const DOCUMENT = "docs/benchmarks.md";
const MARKS = ["<!-- npm run bench -->", "<!-- end -->"] as const;

const USAGE = `Usage: npm run bench -- [SUBJECT…]

Measures the service beside its peers and writes docs/benchmarks.md. With subjects, only prints.
Subjects: ${Object.keys(subjects).join(", ")}.`;

const { positionals: names } = argumentsOf(USAGE, { max: Number.POSITIVE_INFINITY });
const unknown = names.filter((name) => !(name in subjects));
if (unknown.length > 0) refuse(`Unknown: ${unknown}.`, USAGE);
const started = performance.now();
const table = new Table();
let stage: Stage | undefined;
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => void stage?.close().finally(() => process.exit(1)));
}
for (const [name, measure] of Object.entries(subjects)) {
  if (names.length > 0 && !names.includes(name)) continue;
  stage = await Stage.open();
  try {
    await measure(stage, table);
  } finally {
    await stage.close();
  }
}
const minutes = Math.ceil((performance.now() - started) / 60_000);
console.log(`\n${minutes} minutes`);
if (names.length === 0) write();

/** Replaces the generated part of the document. */
function write() {
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model.trim()})`;
  const part = [
    MARKS[0],
    `Measured on ${date} in ${minutes} minutes on ${machine}, with Node ${process.versions.node} and the embedded Postgres.`,
    "",
    ...table.lines,
    MARKS[1],
  ].join("\n");
  const document = readFileSync(DOCUMENT, "utf8");
  const [start, end] = [document.indexOf(MARKS[0]), document.indexOf(MARKS[1])];
  if (start === -1 || end === -1) throw new Error(`${DOCUMENT} lacks ${MARKS.join(" or ")}.`);
  writeFileSync(DOCUMENT, document.slice(0, start) + part + document.slice(end + MARKS[1].length));
}

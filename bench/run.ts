import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { argumentsOf, refuse } from "../scripts/arguments.mjs";
import type { Stage } from "./stage";
import { Table } from "./table";

/** Loaded only to be measured, since --help should not wait for them. */
const subjects = {
  disk: async () => (await import("./subjects/disk")).disk,
  tasks: async () => (await import("./subjects/tasks")).tasks,
  next: async () => (await import("./subjects/next")).next,
  capture: async () => (await import("./subjects/capture")).capture,
  inboxes: async () => (await import("./subjects/inboxes")).inboxes,
  dispatch: async () => (await import("./subjects/dispatch")).dispatch,
  lease: async () => (await import("./subjects/lease")).lease,
  lists: async () => (await import("./subjects/lists")).lists,
  questions: async () => (await import("./subjects/questions")).questions,
  replica: async () => (await import("./subjects/replica")).replica,
  citus: async () => (await import("./subjects/citus")).citus,
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
const stages = await import("./stage");
let stage: Stage | undefined;
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => void stage?.close().finally(() => process.exit(1)));
}
for (const [name, load] of Object.entries(subjects)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const measure = await load();
  stage = await stages.Stage.open();
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

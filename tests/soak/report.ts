import fs from "node:fs";
import os from "node:os";
import type { Client } from "./client";
import type { Ledger } from "./ledger";
import type { Sample } from "./samples";

const DOCUMENT = "docs/proof.md";
const MARKS = ["<!-- npm run soak -->", "<!-- end -->"] as const;
/** From the second quarter of the time to the last. */
const GROWTH_MAX = 1.25;

export interface Result {
  minutes: number;
  /** What the servers shared. */
  database: string;
  client: Client;
  ledger: Ledger;
  faults: Record<string, number>;
  samples: Sample[];
}

/** Why the run failed; empty if it did not. */
export function problemsOf({ client, ledger, samples }: Result): string[] {
  const growth = Object.entries(growthOf(samples)).filter(([, factor]) => !(factor <= GROWTH_MAX));
  return [
    ...(client.counts.failed > 0 ? [`${client.counts.failed} failed requests`] : []),
    ...(ledger.lost.length > 0 ? [`${ledger.lost.length} lost writes`] : []),
    ...growth.map(([what, factor]) => `${what} grew ${factor.toFixed(2)} times`),
  ];
}

function growthOf(samples: Sample[]) {
  // Documents stay.
  const rowsOf = ({ rows: { artifacts: _, ...rows } }: Sample) =>
    Object.values(rows).reduce((sum, count) => sum + count, 0);
  const factor = (of: (sample: Sample) => number) => {
    const quarter = Math.floor(samples.length / 4);
    const middle = (part: Sample[]) => part.map(of).sort((a, b) => a - b)[part.length >> 1] ?? 0;
    return middle(samples.slice(-quarter)) / middle(samples.slice(quarter, 2 * quarter));
  };
  return { memory: factor(({ megabytes }) => megabytes), rows: factor(rowsOf) };
}

export function reportOf(result: Result): string {
  const { minutes, database, client, ledger, faults, samples } = result;
  const { counts } = client;
  const growth = growthOf(samples);
  const date = new Date().toISOString().slice(0, 10);
  const tables = Object.keys(samples[0]?.rows ?? {});
  const step = Math.max(Math.floor(samples.length / 4), 1);
  return [
    `Run on ${date} for ${minutes} minutes on ${os.availableParallelism()} cores (${os.cpus()[0]?.model.trim()}), with Node ${process.versions.node} and ${database}.`,
    "",
    "| What | Count |",
    "| --- | --- |",
    `| Acknowledged writes | ${ledger.total} |`,
    ...[...ledger.acknowledged].map(([kind, count]) => `| – ${kind} | ${count} |`),
    `| **Lost** | **${ledger.lost.length}** |`,
    `| Answered requests | ${counts.answered} |`,
    `| 503 | ${counts.unavailable} |`,
    `| Without a response, cut by a kill | ${counts.cut} |`,
    `| **Failed otherwise** | **${counts.failed}** |`,
    `| Slowest response | ${Math.round(client.slowestMs)} ms |`,
    ...Object.entries(faults).map(([name, count]) => `| ${name} | ${count} |`),
    `| Memory in the last quarter, to the second | ${growth.memory.toFixed(2)} × |`,
    `| Rows in the last quarter, to the second | ${growth.rows.toFixed(2)} × |`,
    "",
    `| Second | MB | Writes | ${tables.map((table) => `\`${table}\``).join(" | ")} |`,
    `| --- | --- | --- |${" --- |".repeat(tables.length)}`,
    ...samples
      .filter((_, index) => index % step === 0 || index === samples.length - 1)
      .map(({ seconds, megabytes, acknowledged, rows }) => {
        const cells = [seconds, megabytes, acknowledged, ...tables.map((table) => rows[table])];
        return `| ${cells.join(" | ")} |`;
      }),
  ].join("\n");
}

/** Replaces the generated part of the document. */
export function writeReport(report: string) {
  const document = fs.readFileSync(DOCUMENT, "utf8");
  const [start, end] = [document.indexOf(MARKS[0]), document.indexOf(MARKS[1])];
  if (start === -1 || end === -1) throw new Error(`${DOCUMENT} lacks ${MARKS.join(" or ")}.`);
  fs.writeFileSync(
    DOCUMENT,
    `${document.slice(0, start)}${MARKS[0]}\n${report}\n${document.slice(end)}`,
  );
}

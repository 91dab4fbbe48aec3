import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { argumentsOf, refuse } from "../scripts/arguments.mjs";
import type { Measurement } from "./growth-size";
import { median } from "./times";

const TURNS = 50;
const ROUNDS = 6;
/** Of a page, which takes much longer than a request. */
const PAGE_ROUNDS = 1;

const USAGE = `Usage: npm run bench:growth -- [ROWS…] [sweep]

Measures what requests cost as the tables grow, by default with 10000 and 1000000 rows, and how a sweep
of a million expired rows slows captures. Prints the tables of docs/benchmarks.md.`;

const { positionals: given } = argumentsOf(USAGE, { max: Number.POSITIVE_INFINITY });
const wrong = given.find((word) => word !== "sweep" && !/^[1-9]\d*$/.test(word));
if (wrong) refuse(`Unexpected argument '${wrong}'.`, USAGE);
if (!given.includes("sweep"))
  await compare(given.length > 0 ? given.map(Number) : [10_000, 1_000_000]);
// Only now, since --help should not wait for it.
if (given.length === 0 || given.includes("sweep")) await (await import("./growth-sweep")).sweep();

/** The sizes take turns, each in its own process, so that the ratio hardly depends on the machine's load. */
async function compare(sizes: number[]) {
  const children: ChildProcess[] = [];
  let subjects: string[] = [];
  for (const size of sizes) {
    const started = performance.now();
    const child = fork("bench/growth-size.ts", [String(size)], { execArgv: ["--import", "tsx"] });
    children.push(child);
    subjects = await answerOf(child);
    console.error(`${size} rows filled in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  }
  const row = (cells: string[]) => console.log(`| ${cells.join(" | ")} |`);
  row([
    "Median, ms, with so many rows",
    ...sizes.map((size) => size.toLocaleString("en")),
    "Ratio",
  ]);
  row(["---", ...sizes.map(() => "---"), "---"]);
  for (const subject of subjects) {
    const measure = (child: ChildProcess) => {
      const rounds = subject.startsWith("page ") ? PAGE_ROUNDS : ROUNDS;
      child.send({ subject, rounds } satisfies Measurement);
      return answerOf<number[]>(child);
    };
    const times: number[][] = sizes.map(() => []);
    if (subject.includes("60 s")) {
      times.splice(0, sizes.length, ...(await Promise.all(children.map(measure))));
    } else {
      for (let turn = 0; turn < TURNS; turn++) {
        for (const [index, child] of children.entries()) {
          times[index]?.push(...(await measure(child)));
        }
      }
    }
    const medians = times.map(median);
    const ratio = (medians.at(-1) ?? Number.NaN) / (medians[0] ?? Number.NaN);
    row([subject, ...medians.map((one) => one.toFixed(1)), ratio.toFixed(2)]);
  }
  for (const child of children) {
    child.disconnect();
    await once(child, "exit");
  }
}

function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error("A measuring process ended."));
    child.once("exit", fail);
    child.once("message", (answer: Answer) => {
      child.off("exit", fail);
      resolve(answer);
    });
  });
}

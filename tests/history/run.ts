import { argumentsOf } from "../../scripts/arguments.mjs";
import { judge, textOf } from "./judge";
import type { Call } from "./log";

const USAGE = `Usage: npm run history -- [--seed 1] [--seeds 1] [--minutes 0.5] [--planted [--only TEXT]]

Random clients on two servers with one database, under kills, pauses, cut connections and clock steps. Records
every call and checks the log: nothing lost, doubled, held by two, out of order or missing in the feed. A violation
prints the smallest part of the log that shows it. --minutes is the time of each seed. --planted breaks the service on
purpose, one fault at a time, and shows that each is found; with --only, those that have TEXT in their names.`;

const { values } = argumentsOf(USAGE, {
  options: {
    seed: { type: "string", default: "1" },
    seeds: { type: "string", default: "1" },
    minutes: { type: "string", default: "0.5" },
    planted: { type: "boolean", default: false },
    only: { type: "string", default: "" },
  },
});
const seconds = Number(values.minutes) * 60;
const first = Number(values.seed);

// Only now, since --help should not wait for them.
const [{ Stage }, { Cluster }, { record }, { showPlanted }] = await Promise.all([
  import("../../bench/stage"),
  import("./cluster"),
  import("./history"),
  import("./planted"),
]);
const stage = await Stage.open();
const failed = await (values.planted
  ? showPlanted(stage, values.only, { first, seconds })
  : runSeeds()
).finally(() => stage.close());
process.exit(failed === 0 ? 0 : 1);

/** Returns how many seeds showed a violation. */
async function runSeeds(): Promise<number> {
  const cluster = await Cluster.open(stage);
  let failed = 0;
  try {
    for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
      const calls = await record(cluster, seed, seconds);
      const { count, verdicts } = judge(calls);
      console.log(`Seed ${seed}: ${summaryOf(calls)}, ${count} violations`);
      for (const verdict of verdicts) console.error(textOf(verdict));
      if (count > 0) failed += 1;
    }
  } finally {
    await cluster.close();
  }
  return failed;
}

function summaryOf(calls: readonly Call[]): string {
  const ended = (outcome: Call["outcome"]) => calls.filter((one) => one.outcome === outcome).length;
  const faults = calls.filter(({ op }) => op === "fault").length;
  return `${calls.length} calls, ${ended("refused")} refused, ${ended("unknown")} unknown, ${faults} faults`;
}

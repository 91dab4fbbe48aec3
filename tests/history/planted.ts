import type { Pool } from "pg";
import type { Stage } from "../../bench/stage";
import { Cluster } from "./cluster";
import { FAULTS, type Fault } from "./faults";
import { record } from "./history";
import { judge, textOf } from "./judge";

const SEEDS_MAX = 4;

/** Plants each fault that has `text` in its name, and runs seeds until it is found. Returns how many were not. */
export async function showPlanted(
  stage: Stage,
  text: string,
  { first, seconds }: { first: number; seconds: number },
): Promise<number> {
  const faults = FAULTS.filter(({ name }) => name.includes(text));
  let missed = 0;
  for (const fault of faults) {
    const found = await find(stage, fault, first, seconds);
    console.log(`${found ? "Found" : "MISSED"}: ${fault.name}\n${found ?? ""}`);
    if (!found) missed += 1;
  }
  console.log(`${faults.length - missed} of ${faults.length} planted faults found`);
  return missed;
}

async function find(stage: Stage, fault: Fault, first: number, seconds: number) {
  const undo = fault.of === undefined ? undefined : await breakFunction(stage.db, fault.of, fault);
  const plant = fault.of === undefined ? { PLANT_FROM: fault.from, PLANT_TO: fault.to } : {};
  const cluster = await Cluster.open(stage, ["./tests/history/plant.mjs"], plant);
  try {
    for (const { server } of fault.of === undefined ? cluster.fleet.members : []) {
      if (!server.output().includes("Planted.")) throw new Error(`Not planted: ${fault.name}`);
    }
    for (let seed = first; seed < first + SEEDS_MAX; seed += 1) {
      const calls = await record(cluster, seed, seconds);
      const [shown] = judge(calls, { kinds: fault.shownBy, max: 1 }).verdicts;
      if (shown) return `Seed ${seed}, ${textOf(shown)}`;
    }
  } finally {
    await cluster.close();
    await undo?.();
  }
  return undefined;
}

/** Changes a function of the database; returns what changes it back. */
async function breakFunction(db: Pool, name: string, { from, to }: Fault) {
  const { rows } = await db.query<{ sql: string }>(
    "SELECT pg_get_functiondef(oid) AS sql FROM pg_proc WHERE proname = $1",
    [name],
  );
  const whole = rows[0]?.sql ?? "";
  if (whole.split(from).length !== 2) throw new Error(`${name} does not have “${from}” once.`);
  await db.query(whole.replace(from, to));
  return () => db.query(whole);
}

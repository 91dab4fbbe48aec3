import type { Pool } from "pg";
import type { Api } from "./http";
import { dispatch } from "./messages";
import { samplesOf } from "./metrics";

/**
 * Dispatches and sweeps, although another test's sweep may have just run. A sweep whose time is up goes on with the
 * next one.
 */
export async function sweep(api: Api, db: Pool, lastSweepAt = "NULL") {
  const unfinished = async () =>
    samplesOf((await api("GET", "/metrics")).text).get("sweep_unfinished_total");
  let before: number | undefined;
  do {
    before = await unfinished();
    await db.query(`UPDATE dispatch_state SET last_sweep_at = ${lastSweepAt}`);
    await dispatch(api);
  } while ((await unfinished()) !== before);
}

import type { Pool } from "pg";
import type { Api } from "./http";
import { dispatch } from "./messages";

/** Dispatches and sweeps, although another test's sweep may have just run. */
export async function sweep(api: Api, db: Pool) {
  await db.query("UPDATE dispatch_state SET last_sweep_at = NULL");
  await dispatch(api);
}

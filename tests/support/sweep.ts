import type { Pool } from "pg";
import { expectStatus } from "./expectations";
import type { Api } from "./http";

/** Dispatches and sweeps, although another test's sweep may have just run. */
export async function sweep(api: Api, db: Pool) {
  await db.query("UPDATE dispatch_state SET last_sweep_at = NULL");
  expectStatus(await api("POST", "/api/messages/dispatch"), 200);
}

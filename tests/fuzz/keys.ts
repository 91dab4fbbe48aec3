import type { Pool } from "pg";
import { makeOrganization } from "../support/accounts";
import type { Keys } from "./fuzz";

export async function keysOf(db: Pool): Promise<Keys> {
  const own = await makeOrganization(db);
  const other = await makeOrganization(db);
  return { key: own.key, otherkey: other.key, readkey: own.readKey };
}

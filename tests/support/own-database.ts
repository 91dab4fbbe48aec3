import type { Pool } from "pg";
import { randomText } from "./keys";

/** An empty database beside the one that the tests share. */
export async function createOwnDatabase(shared: Pool, sharedUrl: string) {
  const url = new URL(sharedUrl);
  const name = `own_${randomText(10).toLowerCase()}`;
  url.pathname = `/${name}`;
  await shared.query(`CREATE DATABASE ${name}`);
  /** Also when somebody is still connected to it. */
  const drop = () => shared.query(`DROP DATABASE ${name} WITH (FORCE)`);
  return { url: url.href, name, drop };
}

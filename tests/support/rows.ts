import type { Pool, QueryResult } from "pg";
import { type Client, clientOn } from "@/lib/platform/db/prisma-client";

// Nothing can be read from the rows of a statement without a row type: `db.query<Row<"Task", "id">>(…)`.
declare module "pg" {
  interface ClientBase {
    query(text: string, values?: unknown[]): Promise<QueryResult<Record<never, never>>>;
  }
  interface Pool {
    query(text: string, values?: unknown[]): Promise<QueryResult<Record<never, never>>>;
  }
}

const clients = new WeakMap<Pool, Client>();

/** Prisma Client on a test's pool. */
export function rowsOf(db: Pool): Client {
  const client = clients.get(db) ?? clientOn((statement) => db.query(statement));
  clients.set(db, client);
  return client;
}

import pg from "pg";
import { migrate } from "@/lib/platform/db/migrate";
import { hasPatroni, startCluster } from "../../tests/support/patroni";
import { compare } from "../compare";
import type { Stage } from "../stage";
import type { Table } from "../table";
import { makeArtifacts, pageOf } from "./lists";

const CONNECTIONS = 8;

/**
 * A page of a list that the replica reads, beside the primary. Its "store" is the primary. On one
 * machine both take from the same cores.
 */
export async function replica(stage: Stage, table: Table) {
  if (!hasPatroni()) return;
  const cluster = await startCluster(stage.folder);
  try {
    const { primary } = await cluster.whenComplete();
    await migrate({ url: primary.url });
    const db = new pg.Pool({ connectionString: primary.url, options: "-c statement_timeout=0" });
    const key = await makeArtifacts(db, "large", 10_000);
    await db.query("VACUUM ANALYZE artifacts");
    await db.end();
    const listing = async (name: string, environment: Record<string, string>) => {
      const service = await stage.service({ DATABASE_URL: cluster.url, ...environment });
      const contender = stage.repeating(service, CONNECTIONS, pageOf(key), name);
      return { ...contender, storePid: primary.postmaster() ?? 0 };
    };
    const [alone, read] = await compare([
      await listing("from the primary", {}),
      await listing("from the replica", { DATABASE_REPLICA_URL: cluster.replicaUrl }),
    ]);
    table.row(`a page of a list from a replica, ${CONNECTIONS} connections`, read, alone);
  } finally {
    await cluster.stop();
  }
}

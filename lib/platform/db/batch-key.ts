import { oncePerProcess } from "@/lib/platform/process";
import { pool } from "./connections";
import { isDistributed } from "./distribution";

/** The key of the batches that hold writes of any number of parents. */
export const ALL_PARENTS = "";

/**
 * The key under which a write of this parent is batched. On one server, writes of all parents share a transaction and
 * a sync of the disk. On a distributed database that would be a commit in two phases, so each parent has its own.
 */
export async function batchKeyOf(parentId: string): Promise<string> {
  const known = oncePerProcess("db.is-distributed", (): { answer?: Promise<boolean> } => ({}));
  known.answer ??= isDistributed(pool()).catch((error) => {
    delete known.answer;
    throw error;
  });
  return (await known.answer) ? parentId : ALL_PARENTS;
}

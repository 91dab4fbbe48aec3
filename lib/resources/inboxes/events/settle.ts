import type { Caller } from "@/lib/platform/caller";
import type { Commit } from "@/lib/platform/db/commit";
import { findInbox } from "@/lib/resources/inboxes/service";
import { acknowledge } from "./acknowledge";
import type { Settle, Settled } from "./consumer-contract";
import { release } from "./release";

/** Acknowledges events, then nacks others. Returns an outcome for each. Throws 404 and 403. */
export async function settle(
  caller: Caller,
  inboxId: string,
  { acks = [], nacks = [] }: Settle,
  commit: Commit,
): Promise<Settled> {
  // Otherwise the statements check the access.
  if (acks.length + nacks.length === 0) await findInbox(caller, inboxId);
  return commit(async (db) => ({
    object: "inbox_ack_result",
    acks: await acknowledge(caller, inboxId, acks, db),
    nacks: await release(caller, inboxId, nacks, db),
  }));
}

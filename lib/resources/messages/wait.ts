import { credentialOf, waitAs } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { queryOne, sql } from "@/lib/platform/db/sql";
import type { Message } from "./contract";
import { getWithRun } from "./service";

/** The poll interval: deliveries publish nothing, so that they cost nothing more. */
const POLL_MS = 1000;

/**
 * A message with its schedule, as soon as no attempt will follow or after `seconds`. Keeps no message while it
 * waits: one may have megabytes. Throws 404 and 403, and 401 once the credential has ended.
 */
export async function waitForEnd(
  caller: Caller,
  id: string,
  seconds: number,
  signal: AbortSignal,
): ReturnType<typeof getWithRun> {
  if (seconds === 0) return getWithRun(caller, id);
  const readEnded = async () => {
    const latest = await getWithRun(caller, id);
    return hasEnded(latest.message) ? latest : undefined;
  };
  const wait = { milliseconds: seconds * 1000, signal, credential: credentialOf(caller) };
  const hasChanged = changesOf(id);
  const ended =
    (await readEnded()) ??
    (await waitAs([], wait, async (retryIn) => {
      const latest = (await hasChanged()) ? await readEnded() : undefined;
      retryIn(POLL_MS);
      return latest;
    }));
  return ended ?? getWithRun(caller, id);
}

/**
 * Returns a function that says whether a message has changed, or has another owner, since the last
 * call. It does not read the body, which may have a megabyte.
 */
export function changesOf(id: string): () => Promise<boolean> {
  let known: string | undefined = "";
  return async () => {
    const before = known;
    const row = await queryOne<{ revision: string }>(
      sql`SELECT concat_ws('/', organization_id, revision) AS revision FROM scheduled_messages
          WHERE id = ${id}`,
    );
    known = row?.revision;
    return known !== before;
  };
}

/** Whether no attempt follows. */
export function hasEnded({ status, next_attempt_at, held }: Message): boolean {
  if (status === "failed") return next_attempt_at === null;
  return held || status === "delivered" || status === "canceled";
}

import { credentialOf, waitAs } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import type { Question } from "./contract";
import { answerTopic, get } from "./service";

/** Reads again a little after the expiry, for clocks that differ from the database's. */
const SLACK_MS = 250;
/** The poll interval until the database's clock has reached the expiry, too. */
const POLL_MS = 1000;

/**
 * A question as soon as it is no longer open, or after `seconds`. Keeps no question while it waits: one may have a
 * megabyte. Throws 404 and 403, and 401 once the credential has ended.
 */
export async function waitForAnswer(
  caller: Caller,
  id: string,
  seconds: number,
  signal: AbortSignal,
): Promise<Question> {
  if (seconds === 0) return get(caller, id);
  const milliseconds = seconds * 1000;
  const end = performance.now() + milliseconds;
  const readEnded = async (retryIn?: (milliseconds: number) => void) => {
    const latest = await get(caller, id);
    retryIn?.(millisecondsToExpiry(latest));
    // After `end` no further attempt follows, so this saves reading an open question again.
    return latest.state === "open" && performance.now() < end ? undefined : latest;
  };
  const wait = { milliseconds, signal, credential: credentialOf(caller) };
  const ended = (await readEnded()) ?? (await waitAs([answerTopic(id)], wait, readEnded));
  return ended ?? get(caller, id);
}

/** The milliseconds until an open question may have expired. */
export function millisecondsToExpiry({ expires_at }: Question): number {
  const left = expires_at * 1000 - Date.now();
  return left > 0 ? left + SLACK_MS : POLL_MS;
}

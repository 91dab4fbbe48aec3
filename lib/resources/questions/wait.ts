import { credentialOf, waitAs } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import type { Question } from "./contract";
import { serializeQuestion } from "./serialize";
import { answerTopic, findQuestion, get } from "./service";

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
    const { question: latest, expiresInMs } = await readExpiring(caller, id);
    retryIn?.(expiresInMs);
    // After `end` no further attempt follows, so this saves reading an open question again.
    return latest.state === "open" && performance.now() < end ? undefined : latest;
  };
  const wait = { milliseconds, signal, credential: credentialOf(caller) };
  const ended = (await readEnded()) ?? (await waitAs([answerTopic(id)], wait, readEnded));
  return ended ?? get(caller, id);
}

/**
 * A question and the milliseconds until it expires, at most a second too many: the database's time is in whole
 * seconds. Throws 404 and 403.
 */
export async function readExpiring(
  caller: Caller,
  id: string,
): Promise<{ question: Question; expiresInMs: number }> {
  const row = await findQuestion(caller, id);
  return { question: serializeQuestion(row), expiresInMs: (row.expires_at - row.now) * 1000 };
}

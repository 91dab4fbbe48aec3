import type { Answer } from "@/lib/http/answer";
import { type Repeatable, recordOf, storedAnswer } from "@/lib/http/idempotency";
import type { Insertion } from "./insertion";

/**
 * Stores a resource at most once per idempotency key, in one statement with its response; a repeat
 * gets the stored response. `make` must not write. Throws the errors of `make`, 409 while an earlier
 * request is running, and 422 if its content was different.
 */
export async function insertOnce<Resource>(
  request: Repeatable,
  make: () => Insertion<Resource> | Promise<Insertion<Resource>>,
  answer: (resource: Resource) => Answer,
): Promise<Answer> {
  const insertion = await makeOrReplay(request, make);
  if ("replayed" in insertion) return insertion.replayed;
  const record = recordOf(request, answer(insertion.resource(0)), insertion.times());
  for (;;) {
    const created = await insertion.storeWith(record);
    if (created !== undefined) return answer(created);
    const replayed = await storedAnswer(request);
    if (replayed) return replayed;
    // The record has expired since.
  }
}

/** On a repeat, what the resource is made from may be gone. */
async function makeOrReplay<Resource>(
  request: Repeatable,
  make: () => Insertion<Resource> | Promise<Insertion<Resource>>,
): Promise<Insertion<Resource> | { replayed: Answer }> {
  try {
    return await make();
  } catch (error) {
    const replayed = await storedAnswer(request);
    if (replayed) return { replayed };
    throw error;
  }
}

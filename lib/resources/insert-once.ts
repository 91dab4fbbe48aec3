import type { HttpResponse } from "@/lib/platform/http/response";
import {
  type IdempotentRequest,
  recordOf,
  storedResponse,
} from "@/lib/platform/http/response-records";
import { type Joining, storeJoined } from "./claim-set";
import type { Insertion } from "./insertion";

/**
 * Stores a resource at most once per idempotency key, in one statement with its response; a repeat
 * gets the stored response. `make` must not write. Throws the errors of `make` and `to.record`, 409
 * while an earlier request is running, and 422 if that request's content was different.
 */
export async function insertOnce<Resource extends object>(
  request: IdempotentRequest,
  make: () => Insertion<Resource> | Promise<Insertion<Resource>>,
  to: {
    /** The response to store. The resource has times relative to its creation. */
    record: (timeless: Resource) => HttpResponse;
    response: (resource: Resource) => HttpResponse;
  },
  joining?: Joining,
): Promise<HttpResponse> {
  const made = await orReplay(request, async () => {
    const insertion = await make();
    await insertion.turn();
    const response = to.record(insertion.timeless());
    await insertion.turn();
    return { insertion, record: recordOf(request, response, insertion.times) };
  });
  if ("replayed" in made) return made.replayed;
  const { insertion, record } = made.done;
  for (;;) {
    const stored = await orReplay(request, () =>
      joining
        ? storeJoined(joining, (db) => insertion.storeWith(record, db))
        : insertion.storeWith(record),
    );
    if ("replayed" in stored) return stored.replayed;
    if (stored.done !== undefined) {
      insertion.committed();
      return to.response(stored.done);
    }
    const replayed = await storedResponse(request);
    if (replayed) return replayed;
    // The record has expired in between.
  }
}

/**
 * The result of `work` or, if it fails, the response stored for the request. On a repeat the work
 * may fail because a dependency is gone, or a claim set or the storage is full.
 */
async function orReplay<Done>(
  request: IdempotentRequest,
  work: () => Done | Promise<Done>,
): Promise<{ done: Done } | { replayed: HttpResponse }> {
  try {
    return { done: await work() };
  } catch (error) {
    const replayed = await storedResponse(request);
    if (replayed) return { replayed };
    throw error;
  }
}

import { credentialOf } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { UNRECORDED } from "@/lib/platform/db/commit";
import { FIRST_POLLS_MS, type Wait, waitFor } from "@/lib/platform/wakeups/pubsub";

/** What a caller learns when it subscribes to a topic. */
export interface Subscription {
  /** Milliseconds until something may become free without a publication; null if unknown. */
  next: number | null;
  /** True if nobody had subscribed, so that a write may have been missed. */
  isFirst: boolean;
}

/**
 * Repeats an attempt to lease, whenever something may have become free, until it has a result.
 * `subscribe` asks writers to publish the topic for the next milliseconds. Throws 401 once the
 * caller's credential has ended.
 */
export async function waitForLease<Result>(
  caller: Caller,
  topic: string,
  wait: Wait,
  subscribe: (milliseconds: number) => Promise<Subscription>,
  attempt: () => Promise<Result | typeof UNRECORDED>,
): Promise<Result | undefined> {
  const credential = credentialOf(caller);
  const deadline = performance.now() + wait.milliseconds;
  let polls: number[] = [];
  return waitFor([topic, ...credential.topics], wait, async (retryIn) => {
    const left = Math.max(Math.ceil(deadline - performance.now()), 0);
    const { next, isFirst } = await subscribe(left);
    if (isFirst) polls = [...FIRST_POLLS_MS];
    retryIn(next, polls.shift(), await credential.assertLive());
    if (wait.signal.aborted) return undefined; // the caller would never learn of the lease
    const result = await attempt();
    return result === UNRECORDED ? undefined : result;
  });
}

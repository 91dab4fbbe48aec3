import { setTimeout as pause } from "node:timers/promises";
import { onLeader } from "@/lib/platform/background/leader";
import { config } from "@/lib/platform/config/config";
import { query, queryOne, sql } from "@/lib/platform/db/sql";
import { oncePerProcess } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";
import { busyNow, nextRelease, slotsAvailable, takeSlot } from "./capacity";
import type { DispatchResult } from "./contract";
import { deliver } from "./deliver";
import { type Lease, type LeasedMessage, lease } from "./lease";
import { record } from "./record";
import type { Busy } from "./turns";
import { noteConnection } from "./unreachable-hosts";

type Dispatched = Omit<DispatchResult, "remaining">;

/** Delivers due messages, in the leader, and counts those left. */
export const dispatchAndCount = onLeader("dispatch", async (): Promise<DispatchResult> => {
  const { results, ...counts } = await dispatchDue();
  // A leased message is due again when its lease ends, so it is not counted.
  const left = await queryOne<{ remaining: number }>(
    sql`SELECT count(*) AS remaining FROM scheduled_messages WHERE due_at <= unix_now()`,
  );
  return { ...counts, remaining: left?.remaining ?? 0, results };
});

const lifecycle = oncePerProcess("messages.dispatch", () => ({
  stopping: false,
  /** A dispatch waits for the deliveries of another. */
  waiting: false,
  turn: Promise.resolve() as Promise<unknown>,
}));

/**
 * Starts due deliveries until there are no more or the time budget is used, then waits for those
 * running. Concurrent dispatches share the process's limits and never lease the same message.
 * `graceSeconds` excludes messages that became due, or were written, less than that long ago.
 */
export async function dispatchDue({ graceSeconds = 0 } = {}): Promise<Dispatched> {
  const deadline = performance.now() + config().dispatchBudgetMs;
  await query(sql`UPDATE dispatch_state SET last_dispatch_at = unix_now()`);
  const results: DispatchResult["results"] = [];
  const pending = new Set<Promise<void>>();
  const track = (work: Promise<void>) => {
    const tracked = work.finally(() => pending.delete(tracked));
    pending.add(tracked);
  };
  let probing = true;
  try {
    do {
      const earlier = [...pending];
      const released = nextRelease();
      const { started, isIncomplete, isLimited } = await startLeased((busy) =>
        lease(busy, graceSeconds, probing),
      );
      probing = false;
      for (const { ended, result } of started) {
        track(ended);
        track(
          result.then((result) => {
            if (result) results.push(result);
          }),
        );
      }
      if (started.length > 0) continue;
      if (isIncomplete) await pauseAfterContention();
      // A delivery that ended during the lease may have freed a slot after the lease counted them.
      else if (earlier.length > 0) await Promise.race(earlier);
      // The deliveries of another dispatch take the slots. A round of the scheduler, which has a
      // grace, is followed by another one, and a single dispatch that waits for them is enough.
      else if (isLimited && graceSeconds === 0 && !lifecycle.waiting) {
        lifecycle.waiting = true;
        await released;
        lifecycle.waiting = false;
      } else break;
    } while (performance.now() < deadline && !isStopping());
  } finally {
    // Records the deliveries under way even if a later lease has failed.
    await Promise.all(pending);
  }
  return summarize(results);
}

/** A random pause, so that two dispatchers do not lease at the same time again. */
export function pauseAfterContention(): Promise<void> {
  return pause(5 + 20 * Math.random());
}

/** Stops starting deliveries in this process; running ones may finish. */
export function stopDispatching(): void {
  lifecycle.stopping = true;
}

export function isStopping(): boolean {
  return lifecycle.stopping;
}

/**
 * When background work that starts now must stop, in `performance.now()` time. Vercel ends a function that runs
 * too long; the next dispatch continues it.
 */
export function backgroundEnd(): number {
  const { onVercel, dispatchBudgetMs } = config();
  return performance.now() + (onVercel ? dispatchBudgetMs : Number.POSITIVE_INFINITY);
}

/**
 * Leases and starts as many messages as there are free slots. Serialized within the process, so
 * that each lease sees the slots left by the one before.
 */
export function startLeased(leaseIn: (busy: Busy) => Promise<Lease>) {
  const turn = lifecycle.turn.then(async () => {
    await slotsAvailable();
    const busy = busyNow();
    const isFull = busy.total >= config().deliveriesMax;
    if (isFull || isStopping()) return { started: [], isIncomplete: false, isLimited: isFull };
    const { messages, ...rest } = await leaseIn(busy);
    if (!isStopping()) return { started: messages.map(run), ...rest };
    await unlease(messages);
    return { started: [], isIncomplete: false, isLimited: false };
  });
  lifecycle.turn = turn.catch(() => {});
  return turn;
}

/** Undoes a lease, including the counted attempt. */
async function unlease(messages: LeasedMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await query(sql`
    UPDATE scheduled_messages AS message SET
      status = CASE WHEN last_attempt THEN 'canceled' ELSE prior.status END,
      due_at = CASE WHEN NOT last_attempt THEN prior.due_at END,
      attempts = attempts - 1, lease_token = NULL, updated_at = unix_now(), revision = revision + 1
    FROM unnest(${messages.map(({ id }) => id)}::text[],
                ${messages.map(({ lease_token }) => lease_token)}::text[],
                ${messages.map(({ prior_status }) => prior_status)}::message_status[],
                ${messages.map(({ prior_due_at }) => prior_due_at)}::bigint[])
      AS prior (id, lease_token, status, due_at)
    WHERE message.id = prior.id AND message.lease_token = prior.lease_token
      AND message.status = 'delivering'`);
}

/** Starts a delivery. `ended` resolves before its result is written; neither promise rejects. */
function run(message: LeasedMessage) {
  const slot = takeSlot(message);
  const outcome = deliver(message);
  const ended = outcome
    .then(({ connected }) => {
      if (connected !== null) noteConnection(message, connected);
    })
    .catch(() => {})
    .finally(() => slot.ended());
  const result = outcome
    .then((outcome) => record(message, outcome))
    .catch((error) => {
      // The lease will expire, and then the message is retried.
      logError("An attempt or the recording of its result failed:", error);
      return undefined;
    })
    .finally(() => slot.release());
  return { message, ended, result };
}

function summarize(results: DispatchResult["results"]): Dispatched {
  const delivered = results.filter(({ status }) => status === "delivered").length;
  return {
    object: "dispatch_result",
    dispatched: results.length,
    delivered,
    failed: results.length - delivered,
    results,
  };
}

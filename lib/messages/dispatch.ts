import { setTimeout as pause } from "node:timers/promises";
import { config } from "@/lib/config/config";
import { query, queryOne, sql } from "@/lib/db/sql";
import { oncePerProcess } from "@/lib/process";
import type { DispatchResult } from "./contract";
import { deliver, type Outcome } from "./deliver";
import { giveBack, type LeasedMessage, lease } from "./lease";
import { record } from "./record";
import { isUnreachable, occupy, roomLeft } from "./slots";

type Dispatched = Omit<DispatchResult, "remaining">;

/** Delivers what is due, and tells how much is left. */
export async function dispatchAndCount(): Promise<DispatchResult> {
  const { results, ...counts } = await dispatchDue();
  // Leased messages are due when their lease ends, so they are not counted.
  const rest = await queryOne<{ remaining: number }>(
    sql`SELECT count(*) AS remaining FROM scheduled_messages WHERE due_at <= unix_now()`,
  );
  return { ...counts, remaining: rest?.remaining ?? 0, results };
}

/**
 * Delivers what is due until nothing is left that could be started, or the budget is used; then waits
 * for what it has started. Several at once share this process's limits and never take the same
 * message. `overdueSeconds`: only what has been due for that long.
 */
export async function dispatchDue({ overdueSeconds = 0 } = {}): Promise<Dispatched> {
  const deadline = performance.now() + config().dispatchBudgetMs;
  await query(sql`UPDATE dispatch_state SET last_dispatch_at = unix_now()`);
  const results: DispatchResult["results"] = [];
  const running = new Set<Promise<void>>();
  const probed = new Set<string>();
  do {
    const { started, contended } = await startDue(overdueSeconds, probed);
    for (const delivery of started) {
      const run = delivery
        .then((result) => {
          if (result) results.push(result);
        })
        .finally(() => running.delete(run));
      running.add(run);
    }
    if (started.length > 0) continue;
    if (contended) await pause(5 + 20 * Math.random());
    else if (running.size > 0) await Promise.race(running);
    else break;
  } while (performance.now() < deadline && !isStopping());
  await Promise.all(running);
  return tell(results);
}

/** From now on no dispatch of this process takes anything more; what runs may end. */
export function stopDispatching(): void {
  lifecycle().stopping = true;
}

/**
 * Leases what there is room for and starts it. One at a time in a process: the room that a lease was
 * given is filled before the next asks for room.
 */
function startDue(overdueSeconds: number, probed: Set<string>) {
  const turn = lifecycle().turn.then(async () => {
    const room = roomLeft(probed);
    if (room.total === 0 || isStopping()) return { started: [], contended: false };
    const { messages, contended } = await lease(room, overdueSeconds);
    const untried = messages.filter((message) => !mayStart(message, probed));
    const started = messages.filter((message) => !untried.includes(message)).map(run);
    await giveBack(untried);
    return { started, contended };
  });
  lifecycle().turn = turn.catch(() => {});
  return turn;
}

/** A host may have become unreachable while the lease was taken: then one message probes it. */
function mayStart({ host }: LeasedMessage, probed: Set<string>): boolean {
  if (isStopping()) return false;
  if (!isUnreachable(host)) return true;
  if (probed.has(host)) return false;
  probed.add(host);
  return true;
}

async function run(message: LeasedMessage) {
  const release = occupy(message);
  let outcome: Outcome | undefined;
  try {
    outcome = await deliver(message);
    return await record(message, outcome);
  } catch (error) {
    // The lease runs out and the message is taken again.
    console.error("An attempt could not be made or its result not be written:", error);
    return undefined;
  } finally {
    release(outcome?.unreachable ?? false);
  }
}

function tell(results: DispatchResult["results"]): Dispatched {
  const delivered = results.filter(({ status }) => status === "delivered").length;
  const named = config().cronSecret !== undefined;
  return {
    object: "dispatch_result",
    dispatched: results.length,
    delivered,
    failed: results.length - delivered,
    results: named ? results : results.map(({ id: _, ...result }) => result),
  };
}

function lifecycle() {
  return oncePerProcess("messages.dispatch", () => ({
    stopping: false,
    turn: Promise.resolve() as Promise<unknown>,
  }));
}

function isStopping(): boolean {
  return lifecycle().stopping;
}

import { setTimeout as pause } from "node:timers/promises";
import { waitUntil } from "@vercel/functions";
import { onLeader } from "@/lib/platform/background/leader";
import { config } from "@/lib/platform/config/config";
import { isDatabaseDown } from "@/lib/platform/db/failures";
import { oncePerProcess } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";
import { backgroundEnd, isStopping, startLeased } from "@/lib/resources/messages/dispatch";
import { isDispatchOff } from "@/lib/resources/messages/dispatch-off";
import { oldestPushes } from "@/lib/resources/messages/due";
import { leaseFrom } from "@/lib/resources/messages/lease";
import { advance, askedBy, isKnownEvent, readSubscriptions, type Subscribed } from "./advance";
import { type Asked, eventSources } from "./events/sources";
import { Turns } from "./turns";

/**
 * How soon something new is pushed. With very many subscriptions a round takes longer, and then the
 * next one waits for as long, so that other requests find the database free.
 */
const ROUND_MS = 250;
/** The subscriptions that one statement reads. */
const PAGE = 1000;
/** How long one page may push. What is left is due in the next round, and what still runs goes on. */
const PAGE_MS = 100;
const ERROR_MS = 1000;

const pusher = oncePerProcess("subscriptions.pusher", () => ({
  running: undefined as Promise<void> | undefined,
  wake: () => {},
  /** Called after the next round, or when there is none. */
  rounds: [] as (() => void)[],
  /** Subscriptions whose messages have ended, or that have more. */
  ended: new Set<string>(),
  /** Subscriptions that may have messages to deliver. */
  advanced: new Set<string>(),
  turns: new Turns(),
  known: new Map<string, Known>(),
}));

/**
 * Pushes to all subscriptions, in the leader: resolves after the next round, and continues in the
 * background until there is no subscription left; on Vercel, until the deliveries have ended.
 */
export const pushSoon = onLeader("push", async () => {
  const round = new Promise<void>((resolve) => pusher.rounds.push(resolve));
  pusher.wake();
  pusher.running ??= run();
  waitUntil(pusher.running);
  await round;
});

/** Resolves once the deliveries that this process started have ended. */
export async function pushesEnded(): Promise<void> {
  await pusher.running;
}

async function run(): Promise<void> {
  do {
    await pushWhileAny();
    // A call may have come while the last deliveries ended.
  } while (pusher.rounds.length > 0 && !isStopping());
  for (const resolve of pusher.rounds.splice(0)) resolve();
  pusher.running = undefined;
}

async function pushWhileAny(): Promise<void> {
  const end = backgroundEnd();
  const pending = new Set<Promise<unknown>>();
  let roundAt = 0;
  let soonest = 0;
  try {
    while (!isStopping()) {
      const woken = new Promise<void>((resolve) => {
        pusher.wake = resolve;
      });
      const start = performance.now();
      const ended = [...pusher.ended];
      pusher.ended.clear();
      if (start < (pusher.rounds.length > 0 ? soonest : roundAt)) {
        const read = ended.length > 0 ? await readSubscriptions({ ids: ended }) : [];
        await pushTo(read, {}, pending);
      } else {
        const callers = pusher.rounds.splice(0);
        const isAny = await pushRound(callers.length > 0, pending).finally(() => {
          for (const resolve of callers) resolve();
        });
        if (!isAny && pending.size === 0 && pusher.rounds.length === 0) break;
        const now = performance.now();
        soonest = now + (now - start);
        roundAt = Math.max(soonest, now + ROUND_MS);
      }
      // Vercel suspends an instance that has answered.
      const isIdle = pending.size + pusher.ended.size + pusher.advanced.size === 0;
      const isOver = (config().onVercel && isIdle) || performance.now() >= end;
      if (isOver && pusher.rounds.length === 0) break;
      if (pusher.ended.size > 0) continue;
      const next = pusher.rounds.length > 0 ? soonest : roundAt;
      await Promise.race([woken, pause(Math.max(next - performance.now(), 1))]);
    }
  } catch (error) {
    if (!isDatabaseDown(error)) logError("Events could not be pushed:", error);
  } finally {
    await Promise.all(pending);
  }
}

/**
 * Looks at all subscriptions, a page at a time, and tries again what is held back if `isAsked`.
 * Returns whether there are any.
 */
async function pushRound(isAsked: boolean, pending: Set<Promise<unknown>>): Promise<boolean> {
  if (await isDispatchOff()) return false;
  const { known } = pusher;
  const all = new Set<string>();
  for (let after = "", isMore = true; isMore; ) {
    const read = await readSubscriptions({ after, limit: PAGE });
    after = read.at(-1)?.id ?? after;
    isMore = read.length === PAGE;
    // A newer version of the service may have stored events or arguments that this one does not know.
    const page = read.filter((one) => known.has(one.id) || isKnownEvent(one));
    for (const one of page) {
      all.add(one.id);
      if (isAsked && one.obstacle !== null) knownOf(one).recheckAt = 0;
    }
    await pushTo(page, await pulsesOf(page), pending);
  }
  for (const id of known.keys()) if (!all.has(id)) known.delete(id);
  return all.size > 0;
}

/** What may be new for each subscription, by ID: one statement for each type of event. */
async function pulsesOf(page: Subscribed[]): Promise<Record<string, string>> {
  const pulses: Record<string, string> = {};
  for (const source of eventSources) {
    const watching = page.filter((one) => knownOf(one).asked.source === source);
    if (watching.length === 0) continue;
    const watched = watching.map((one) => ({
      organizationId: one.organization_id,
      args: knownOf(one).asked.args,
    }));
    const found = await source.pulses(watched);
    for (const [n, { id }] of watching.entries()) pulses[id] = found[n] ?? "";
  }
  return pulses;
}

/** Pushes to those of the subscriptions for which there may be something, and starts the deliveries. */
async function pushTo(
  subscriptions: Subscribed[],
  pulses: Record<string, string>,
  pending: Set<Promise<unknown>>,
): Promise<void> {
  const { turns, advanced } = pusher;
  const now = performance.now();
  const due = new Set(
    subscriptions.filter((one) => !turns.isRunning(one) && isDue(one, pulses[one.id], now)),
  );
  for (const { id, is_sending } of subscriptions) if (is_sending) advanced.add(id);
  const pageEnd = pause(PAGE_MS);
  let running = 0;
  while (due.size + running > 0 && performance.now() < now + PAGE_MS) {
    const one = turns.next(due);
    if (!one) {
      await Promise.race([turns.nextEnd(), pageEnd]);
      continue;
    }
    due.delete(one);
    running += 1;
    const known = knownOf(one);
    const turn = turns
      .run(one, () => push(one, known, pulses[one.id]))
      .then(() => {
        running -= 1;
        pending.delete(turn);
      });
    pending.add(turn);
  }
  if (advanced.size === 0) return;
  const pushed = [...advanced];
  advanced.clear();
  const { started } = await startLeased((busy) => leaseFrom(oldestPushes(pushed), busy));
  for (const { message, result } of started) {
    const delivery = result.then(() => {
      pending.delete(delivery);
      const { ended, wake } = pusher;
      if (message.subscription_id !== null) ended.add(message.subscription_id);
      wake();
    });
    pending.add(delivery);
  }
}

/** Pushes to one subscription. Its messages are delivered with this page or, if the page has ended, at once. */
async function push(one: Subscribed, known: Known, pulse: string | undefined): Promise<void> {
  let checked = pulse;
  const nextInMs = await advance(one, known.asked).catch((error) => {
    if (!isDatabaseDown(error)) logError("An event could not be pushed:", error);
    checked = undefined;
    return ERROR_MS;
  });
  const recheckAt = performance.now() + (nextInMs ?? Number.POSITIVE_INFINITY);
  Object.assign(known, { checked, ...(!isWaiting(one) && { pulse, recheckAt }) });
  if (nextInMs === 0) pusher.ended.add(one.id);
  pusher.advanced.add(one.id);
  pusher.wake();
}

function isDue(one: Subscribed, pulse: string | undefined, now: number): boolean {
  if (one.is_over || !one.is_live) return true;
  const known = knownOf(one);
  if (isWaiting(one)) {
    known.pulse = undefined;
    // The resource that it watches may have been deleted.
    return pulse !== undefined && known.checked !== pulse;
  }
  // Its message has ended, there is more to push, or its data may have changed.
  return (
    one.message_id !== null ||
    pulse === undefined ||
    known.pulse !== pulse ||
    known.recheckAt <= now
  );
}

/** Whether nothing more is read for now. */
function isWaiting({ is_sending, is_suspended }: Subscribed): boolean {
  return is_sending || is_suspended;
}

/** What this process knows of a subscription, whose terms never change. */
interface Known {
  asked: Asked;
  sealed: Subscribed["sealed"];
  /** The pulse when it was last read. */
  pulse: string | undefined;
  /** The pulse when its client was last found to have access. */
  checked: string | undefined;
  /** When to read it even if its pulse is the same. */
  recheckAt: number;
}

function knownOf(one: Subscribed): Known {
  const found = pusher.known.get(one.id);
  // One that a client makes again has the same ID, and a secret that was sealed again.
  if (found?.sealed === one.sealed) return found;
  const [pulse, checked] = [undefined, undefined];
  const made = { asked: askedBy(one), sealed: one.sealed, pulse, checked, recheckAt: 0 };
  pusher.known.set(one.id, made);
  return made;
}

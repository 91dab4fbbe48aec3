import { setTimeout as pause } from "node:timers/promises";
import { onLeader } from "@/lib/platform/background/leader";
import type { Caller } from "@/lib/platform/caller";
import { isDatabaseDown } from "@/lib/platform/db/failures";
import { oncePerProcess } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";
import { isStopping, startLeased } from "@/lib/resources/messages/dispatch";
import { leasePushes } from "@/lib/resources/messages/lease";
import { newestEvents } from "@/lib/resources/webhooks/events/last-events";
import { advance, type EventSubscription, eventSubscriptions } from "./event-cursor";
import { eventSources } from "./events/sources";

/** How soon an event is sent. */
const ROUND_MS = 250;
/** How often what publishes no IDs is read, and whether the client may still read the rest. */
const READ_MS = 1000;
const ADVANCED_AT_ONCE = 10;

/** Starts to send events, in the leader, if it does not run already. It ends with the last subscription. */
export const pushEventsSoon = onLeader("pushEvents", async () => {
  const current = loop();
  current.isCalled = true;
  current.wake();
  current.running ??= run();
});

/** Resolves once the deliveries that this process started have ended. */
export async function pushesEnded(): Promise<void> {
  await loop().running;
}

async function run(): Promise<void> {
  const current = loop();
  const pending = new Set<Promise<unknown>>();
  try {
    while (!isStopping()) {
      current.isCalled = false;
      const called = new Promise<void>((resolve) => {
        current.wake = resolve;
      });
      const subscriptions = await eventSubscriptions();
      if (subscriptions.length === 0 && pending.size === 0) {
        if (current.isCalled) continue;
        break;
      }
      await advanceAll(subscriptions);
      const ids = subscriptions.map(({ id }) => id);
      const { started } = await startLeased((busy) => leasePushes(busy, ids));
      for (const { result } of started) {
        const delivery = result.then(() => {
          pending.delete(delivery);
          current.wake();
        });
        pending.add(delivery);
      }
      if (!current.isCalled) await Promise.race([called, pause(ROUND_MS)]);
    }
  } catch (error) {
    if (!isDatabaseDown(error)) logError("Events could not be sent:", error);
  } finally {
    await Promise.all(pending);
    current.running = undefined;
  }
}

async function advanceAll(subscriptions: EventSubscription[]): Promise<void> {
  const endpoints = new Map(subscriptions.map((one) => [one.id, endpointOf(one)]));
  const newest = await newestEvents([...endpoints.values()].flatMap((id) => id ?? []));
  const { reads } = loop();
  const now = performance.now();
  const queue = subscriptions.filter((one) => {
    const last = newest.get(endpoints.get(one.id) ?? "");
    if (!one.is_live || one.is_over) return true;
    if (one.is_suspended || one.is_sending) return false;
    const isNew = last !== undefined && last > one.cursor;
    return one.status !== null || isNew || (reads.get(one.id) ?? 0) <= now;
  });
  for (const id of reads.keys()) if (!endpoints.has(id)) reads.delete(id);
  const worker = async () => {
    for (let one = queue.shift(); one; one = queue.shift()) {
      const hasMore = await advance(one, callerOf(one)).catch((error) => {
        if (!isDatabaseDown(error)) logError("An event could not be sent:", error);
        return false;
      });
      reads.set(one.id, hasMore ? 0 : performance.now() + READ_MS);
      if (hasMore) loop().wake();
    }
  };
  await Promise.all(Array.from({ length: ADVANCED_AT_ONCE }, worker));
}

function endpointOf({ event, arguments: args }: EventSubscription): string | undefined {
  const source = eventSources.find(({ name }) => name === event);
  return source?.endpointOf?.(source.input.parse(JSON.parse(args)));
}

/** Events are read with the rights of the key. */
function callerOf({ key_id, organization_id, scopes }: EventSubscription): Caller {
  return { kind: "key", keyId: key_id, organizationId: organization_id, scopes: scopes ?? [] };
}

function loop() {
  return oncePerProcess("subscriptions.events", () => ({
    running: undefined as Promise<void> | undefined,
    isCalled: false,
    wake: () => {},
    /** When each subscription is read again. */
    reads: new Map<string, number>(),
  }));
}

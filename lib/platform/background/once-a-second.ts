import { setTimeout as pause } from "node:timers/promises";
import { waitUntil } from "@vercel/functions";
import { oncePerProcess, stopping } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";

const FLUSH_MS = 1000;

/**
 * Returns a function that collects items, which `write` gets together a second later, off the path
 * of the request. They are lost with the process, and if `write` fails, which is logged. `what`, such
 * as "Failed signatures", is unique.
 */
export function onceASecond<Item>(
  what: string,
  write: (items: Item[]) => Promise<unknown>,
): (item: Item) => void {
  const collected = oncePerProcess(`once-a-second.${what}`, () => ({
    items: [] as Item[],
    isPlanned: false,
  }));
  const flush = async () => {
    // Flushes at once when the server stops, before its connections close.
    await pause(FLUSH_MS, undefined, { ref: false, signal: stopping.signal }).catch(() => {});
    const { items } = collected;
    collected.items = [];
    collected.isPlanned = false;
    try {
      await write(items);
    } catch (error) {
      logError(`${what} could not be written:`, error);
    }
  };
  return (item) => {
    collected.items.push(item);
    if (collected.isPlanned) return;
    collected.isPlanned = true;
    waitUntil(flush());
  };
}

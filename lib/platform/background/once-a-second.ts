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
  const collected = oncePerProcess(`once-a-second.${what}`, (): Item[] => []);
  const flush = async () => {
    // Flushes at once when the server stops, before its connections close.
    await pause(FLUSH_MS, undefined, { ref: false, signal: stopping.signal }).catch(() => {});
    try {
      await write(collected.splice(0));
    } catch (error) {
      logError(`${what} could not be written:`, error);
    }
  };
  return (item) => {
    collected.push(item);
    if (collected.length === 1) waitUntil(flush());
  };
}

import { setTimeout as pause } from "node:timers/promises";
import { waitUntil } from "@vercel/functions";
import { oncePerProcess, stopping } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";

const FLUSH_MS = 1000;

interface Collected<Item> {
  items: Item[];
  isPlanned: boolean;
}

/**
 * Returns a function that collects items, which `write` gets together a second later, off the path
 * of the request. They are lost with the process, and if `write` fails, which is logged. `what`, such
 * as "Failed signatures", is unique.
 */
export function onceASecond<Item>(
  what: string,
  write: (items: Item[]) => Promise<unknown>,
): (item: Item) => void {
  const collected = () =>
    oncePerProcess<Collected<Item>>(`once-a-second.${what}`, () => ({
      items: [],
      isPlanned: false,
    }));
  const flush = async () => {
    // Flushes at once when the server stops, before its connections close.
    await pause(FLUSH_MS, undefined, { ref: false, signal: stopping().signal }).catch(() => {});
    const state = collected();
    const items = state.items;
    state.items = [];
    state.isPlanned = false;
    try {
      await write(items);
    } catch (error) {
      logError(`${what} could not be written:`, error);
    }
  };
  return (item) => {
    const state = collected();
    state.items.push(item);
    if (state.isPlanned) return;
    state.isPlanned = true;
    waitUntil(flush());
  };
}

import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "./database";
import type { Member } from "./fleet";

const PAUSE_MS = 20_000;

/**
 * Kills and restarts these servers in turns until `isOver`, one at a time. The first has several
 * processes. Returns how often each was done.
 */
export async function disturb(
  [several, one]: readonly [Member, Member],
  isOver: () => boolean,
): Promise<Record<string, number>> {
  const faults = {
    "kill -9 of one of two processes": () => several.killProcess(),
    "kill -9 of the leader": () => several.kill(),
    "kill -9 of a server": () => one.kill(),
    "orderly restart of two processes": () => several.restart(),
    "orderly restart of a server": () => one.restart(),
  };
  const counts: Record<string, number> = {};
  while (!isOver()) {
    for (const [name, fault] of Object.entries(faults)) {
      await pause(PAUSE_MS);
      if (isOver()) break;
      say(name);
      await fault();
      counts[name] = (counts[name] ?? 0) + 1;
    }
  }
  return counts;
}

/** Kills the primary of a database that has a standby, once after this time. Returns how often it was done. */
export async function failOver(
  database: Database,
  afterMs: number,
): Promise<Record<string, number>> {
  if (!database.failOver) return {};
  await pause(afterMs);
  say("kill -9 of the primary database");
  await database.failOver();
  say("the cluster is complete again");
  return { "kill -9 of the primary database": 1 };
}

function say(what: string) {
  console.log(`${new Date().toISOString().slice(11, 19)} ${what}`);
}

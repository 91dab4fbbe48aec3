import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Stage } from "../stage";
import type { Table } from "../table";
import { median } from "../times";

const PAGE = Buffer.alloc(8192);
const ROUNDS = 5;
const SECONDS = 0.5;

/** The limit of every write: how often the disk can be synced, as for a commit. */
export async function disk(stage: Stage, table: Table) {
  const file = openSync(join(stage.folder, "synced"), "w");
  const rates = Array.from({ length: ROUNDS }, () => {
    const started = performance.now();
    let count = 0;
    while (performance.now() - started < SECONDS * 1000) {
      writeSync(file, PAGE, 0, PAGE.length, 0);
      fdatasyncSync(file);
      count++;
    }
    return (count * 1000) / (performance.now() - started);
  });
  closeSync(file);
  table.single("writes of 8 kB that the disk syncs one by one", median(rates));
}

import fs from "node:fs";
import { pause } from "./servers";

/** Where the global set-up says that servers and database are ready, since the first tests need neither. */
const FILE = "TEST_PREPARED";

/** Names the file, for the workers. */
export function expectPreparation(file: string): void {
  process.env[FILE] = file;
}

/** Tells all workers, which may run already, the variables of the global set-up. */
export function announce(): void {
  const file = process.env[FILE] ?? "";
  const own = Object.entries(process.env).filter(([name]) => name.startsWith("TEST_"));
  fs.writeFileSync(`${file}.part`, JSON.stringify(Object.fromEntries(own)));
  fs.renameSync(`${file}.part`, file);
}

/**
 * A fixture of each worker: waits until the servers and the database of the global set-up are ready, and
 * takes its variables.
 */
export const waitUntilPrepared: [
  (given: object, use: (value: undefined) => Promise<void>) => Promise<void>,
  { scope: "worker"; auto: true; timeout: number },
] = [
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's names.
  async ({}, use) => {
    const file = process.env[FILE] ?? "";
    while (!fs.existsSync(file)) await pause(200);
    Object.assign(process.env, JSON.parse(fs.readFileSync(file, "utf8")));
    await use(undefined);
  },
  { scope: "worker", auto: true, timeout: 10 * 60_000 },
];

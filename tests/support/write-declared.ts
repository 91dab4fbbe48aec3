import fs from "node:fs";
import { operations } from "@/lib/api/registry";
import { statusesOf } from "@/lib/api/statuses";
import type { Declared } from "./declared";

/** Writes what responses are checked against (declared.ts), and returns the file. */
export function writeDeclared(file: string): string {
  const declared = operations.map((one): Declared => {
    const { id, method, path, subpaths, refusesHead } = one;
    return { id, method, path, subpaths, refusesHead, statuses: statusesOf(one, operations) };
  });
  fs.writeFileSync(file, JSON.stringify(declared));
  return file;
}

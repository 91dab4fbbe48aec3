import fs from "node:fs";
import { operations } from "@/lib/api/registry";
import { statusesOf } from "@/lib/api/statuses";
import { codesOf, rareCodes } from "@/lib/docs/site/errors";
import type { Declared } from "./declared";

/** Writes what responses are checked against (declared.ts), and returns the file. */
export function writeDeclared(file: string): string {
  const rare = rareCodes(operations);
  const declared = operations.map((one): Declared => {
    const { id, method, path, subpaths, refusesHead } = one;
    const codes = codesOf(one, operations);
    const undeclared = rare.filter((code) => !codes.includes(code));
    const statuses = statusesOf(one, operations);
    return { id, method, path, subpaths, refusesHead, statuses, undeclared };
  });
  fs.writeFileSync(file, JSON.stringify(declared));
  return file;
}

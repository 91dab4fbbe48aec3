import { readFileSync } from "node:fs";
import { routerOf } from "@/lib/api/router";
import type { Operation } from "@/lib/platform/http/operation";

/** What a response is checked against. The global set-up writes it: loading all operations takes seconds. */
export interface Declared
  extends Pick<Operation, "id" | "method" | "path" | "subpaths" | "refusesHead"> {
  statuses: number[];
}

let operationsOn: ReturnType<typeof routerOf<Declared>> | undefined;

function readDeclared() {
  const file = process.env.TEST_DECLARED;
  return routerOf<Declared>(file ? JSON.parse(readFileSync(file, "utf8")) : []);
}

/** Throws when an operation answers with a status that it does not declare. */
export function assertDeclared(method: string, target: string, status: number) {
  const path = target.split("?")[0] ?? "";
  const served = method === "HEAD" ? "GET" : method;
  operationsOn ??= readDeclared();
  const operation = operationsOn(path)?.find(
    (one) => one.method === served && !(method === "HEAD" && one.refusesHead),
  );
  if (!operation || (method === "OPTIONS" && status === 204)) return;
  const { id, statuses } = operation;
  if (statuses.includes(status)) return;
  throw new Error(
    `${id} answered ${status} and declares ${statuses.join(", ")}: add it to \`failures\`.`,
  );
}

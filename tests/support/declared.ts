import { readFileSync } from "node:fs";
import { routerOf } from "@/lib/api/router";
import type { Operation } from "@/lib/platform/http/operation";

/** What a response is checked against. The global set-up writes it: loading all operations takes seconds. */
export interface Declared
  extends Pick<Operation, "id" | "method" | "path" | "subpaths" | "refusesHead"> {
  statuses: number[];
  /** The codes that other operations declare, and this one does not. */
  undeclared: string[];
}

let operationsOn: ReturnType<typeof routerOf<Declared>> | undefined;

function readDeclared() {
  const file = process.env.TEST_DECLARED;
  return routerOf<Declared>(file ? JSON.parse(readFileSync(file, "utf8")) : []);
}

interface Answer {
  status: number;
  text: string;
}

/** Throws when an operation answers with a status or an error code that it does not declare. */
export function assertDeclared(method: string, target: string, { status, text }: Answer) {
  const path = target.split("?")[0] ?? "";
  const served = method === "HEAD" ? "GET" : method;
  operationsOn ??= readDeclared();
  const operation = operationsOn(path)?.find(
    (one) => one.method === served && !(method === "HEAD" && one.refusesHead),
  );
  if (!operation || (method === "OPTIONS" && status === 204)) return;
  const { id, statuses, undeclared } = operation;
  const code = status < 400 ? undefined : codeIn(text);
  // Then the path is no operation's.
  if (code === "route_not_found") return;
  if (!statuses.includes(status)) {
    throw new Error(
      `${id} answered ${status} and declares ${statuses.join(", ")}: add it to \`failures\`.`,
    );
  }
  if (code !== undefined && undeclared.includes(code)) {
    throw new Error(`${id} answered ${code}: add it to \`errors\`.`);
  }
}

/** The code of an error, in our form or in OAuth's, if the text has one. */
function codeIn(text: string): string | undefined {
  if (!text.startsWith('{"error"')) return undefined;
  const { error } = JSON.parse(text);
  return typeof error === "string" ? error : error.code;
}

import { operations } from "@/lib/api/registry";
import { routerOf } from "@/lib/api/router";
import { statusesOf } from "@/lib/api/statuses";

const operationsOn = routerOf(operations);
const statuses = new Map(operations.map((one) => [one, statusesOf(one, operations)]));

/** Throws when an operation answers with a status that it does not declare. */
export function assertDeclared(method: string, target: string, status: number) {
  const path = target.split("?")[0] ?? "";
  const served = method === "HEAD" ? "GET" : method;
  const operation = operationsOn(path)?.find(
    (one) => one.method === served && !(method === "HEAD" && one.refusesHead),
  );
  if (!operation || (method === "OPTIONS" && status === 204)) return;
  const declared = statuses.get(operation) ?? [];
  if (declared.includes(status)) return;
  throw new Error(
    `${operation.id} answered ${status} and declares ${declared.join(", ")}: add it to \`failures\`.`,
  );
}

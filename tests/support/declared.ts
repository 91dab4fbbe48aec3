import { matchPath } from "@/lib/api/path";
import { operations } from "@/lib/api/registry";
import { statusesOf } from "@/lib/api/statuses";

/** Throws when an operation answers with a status that it does not declare. */
export function assertDeclared(method: string, target: string, status: number) {
  const operation = operationAt(method === "HEAD" ? "GET" : method, target);
  if (!operation || (method === "OPTIONS" && status === 204)) return;
  const declared = statusesOf(operation, operations);
  if (declared.includes(status)) return;
  throw new Error(
    `${operation.id} answered ${status} and declares ${declared.join(", ")}: add it to \`failures\`.`,
  );
}

/** The operation that serves a request: of the matching paths, the one with the fewest parameters. */
function operationAt(method: string, target: string) {
  const path = target.split("?")[0] ?? "";
  const onPath = operations.filter((one) => matchPath(one.path, path, one) !== undefined);
  const fewest = Math.min(...onPath.map(parameterCount));
  return onPath.find((one) => one.method === method && parameterCount(one) === fewest);
}

function parameterCount({ path }: { path: string }): number {
  return path.split("{").length;
}

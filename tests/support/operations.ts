import { operations } from "@/lib/api/registry";
import type { KindName } from "@/lib/resources/kinds";

/** All operations, in the order of the registry. */
export const everyOperation = Object.values(operations);

/** `GET /api/tasks/{id}` */
export function titleOf(operation: { method: string; path: string }) {
  return `${operation.method} ${operation.path}`;
}

/** The IDs of the operations that every kind of resource has. */
export function commonOperations(kind: KindName) {
  const idOf = (method: string, below = "") => {
    const found = everyOperation.find((one) => titleOf(one) === `${method} /api/${kind}${below}`);
    if (!found) throw new Error(`${kind} has no ${method} ${below}.`);
    return found.id;
  };
  return {
    list: idOf("GET"),
    create: idOf("POST"),
    get: idOf("GET", "/{id}"),
    update: idOf("PATCH", "/{id}"),
    upsert: idOf("PUT", "/external/{external_id}"),
    remove: idOf("DELETE", "/{id}"),
  };
}

/** The path with a well-formed ID of no resource. */
export function examplePath(path: string) {
  return path.replaceAll(/\{[^}]+\}/g, "tsk_0000000000000000000000000");
}

/** The methods of each path, as `Allow` must list them. */
export function methodsByPath() {
  const methods = new Map<string, Set<string>>();
  for (const { method, path } of everyOperation) {
    const known = methods.get(path) ?? new Set(["OPTIONS"]);
    known.add(method);
    // A HEAD must not act, and the GET of a dispatch does.
    if (method === "GET" && path !== "/api/messages/dispatch") known.add("HEAD");
    methods.set(path, known);
  }
  return methods;
}

import { operations } from "@/lib/api/registry";

/** All operations, in the order of the registry. */
export const everyOperation = Object.values(operations);

/** `GET /api/tasks/{id}` */
export function titleOf(operation: { method: string; path: string }) {
  return `${operation.method} ${operation.path}`;
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

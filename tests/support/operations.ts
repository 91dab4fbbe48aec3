import { operations } from "@/lib/api/registry";

/** All operations of the service, in the order of the registry. */
export const everyOperation = Object.values(operations);

/** `GET /api/tasks/{id}`: how tests name an operation. */
export function titleOf(operation: { method: string; path: string }) {
  return `${operation.method} ${operation.path}`;
}

/** The path with an ID in it that looks right and belongs to nothing. */
export function examplePath(path: string) {
  return path.replaceAll(/\{[^}]+\}/g, "tsk_0000000000000000000000000");
}

/** For every path, the methods that answer there, as `Allow` must name them. */
export function methodsByPath() {
  const methods = new Map<string, Set<string>>();
  for (const { method, path } of everyOperation) {
    const known = methods.get(path) ?? new Set(["OPTIONS"]);
    known.add(method);
    if (method === "GET") known.add("HEAD");
    methods.set(path, known);
  }
  return methods;
}

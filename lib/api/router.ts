import { addRoute, createRouter, findRoute } from "rou3";
import type { Operation } from "@/lib/platform/http/operation";

/** Returns a function from a path to those of these operations that it has, or undefined. */
export function routerOf<Routed extends Pick<Operation, "path" | "subpaths">>(
  operations: readonly Routed[],
): (path: string) => Routed[] | undefined {
  const router = createRouter<Routed[]>();
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const onPath = operations.filter((operation) => operation.path === path);
    const pattern = path.replaceAll(/\{(\w+)\}/g, ":$1");
    const below = onPath.some(({ subpaths }) => subpaths) ? "/**" : "";
    addRoute(router, undefined, pattern + below, onPath);
  }
  return (path) => findRoute(router, undefined, path)?.data;
}

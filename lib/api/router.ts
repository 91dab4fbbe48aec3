import { addRoute, createRouter, findRoute } from "rou3";
import type { Operation } from "@/lib/platform/http/operation";
import { operations } from "./registry";

/** Returns a function from a path to its operations, or undefined. */
export function apiRouter(): (path: string) => Operation[] | undefined {
  const router = createRouter<Operation[]>();
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const onPath = operations.filter((operation) => operation.path === path);
    const pattern = path.replaceAll(/\{(\w+)\}/g, ":$1");
    const below = onPath.some(({ subpaths }) => subpaths) ? "/**" : "";
    addRoute(router, undefined, pattern + below, onPath);
  }
  return (path) => findRoute(router, undefined, path)?.data;
}

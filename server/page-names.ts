import { readFileSync } from "node:fs";
import { addRoute, createRouter, findRoute } from "rou3";

/**
 * Returns a function that names the page of a path by its route in the build, such as
 * `/tasks/[id]`, so that IDs in paths reach no log. `file` for files of the build; null for what is
 * no page.
 */
export function pageNames(): (path: string) => string | null {
  const { staticRoutes, dynamicRoutes }: Manifest = JSON.parse(
    readFileSync(".next/routes-manifest.json", "utf8"),
  );
  const router = createRouter<string>();
  for (const { page } of [...staticRoutes, ...dynamicRoutes]) {
    const pattern = page
      .replaceAll(/\[?\[\.\.\.(\w+)\]\]?/g, "**:$1")
      .replaceAll(/\[(\w+)\]/g, ":$1");
    addRoute(router, undefined, pattern, page);
  }
  return (path) => {
    if (path.startsWith("/_next/")) return "file";
    return findRoute(router, undefined, path)?.data ?? null;
  };
}

interface Manifest {
  staticRoutes: { page: string }[];
  dynamicRoutes: { page: string }[];
}

import { readFileSync } from "node:fs";
import { addRoute, createRouter, findRoute } from "rou3";

interface PageName {
  /** Its route in the build, such as `/tasks/[id]`, so that logs have no IDs; `file` for files. */
  name: string | null;
  /** True for pages; handlers, such as downloads and streams, are not rendered. */
  isRendered: boolean;
}

/**
 * Returns a function that names the page of a path; null for paths without a page. Undefined for a
 * path that Next would take for another one.
 */
export function pageNames(): (path: string) => PageName | undefined {
  const routes: Record<string, string> = JSON.parse(
    readFileSync(".next/app-path-routes-manifest.json", "utf8"),
  );
  const router = createRouter<PageName>();
  for (const [file, name] of Object.entries(routes)) {
    const pattern = name
      .replaceAll(/\[?\[\.\.\.(\w+)\]\]?/g, "**:$1")
      .replaceAll(/\[(\w+)\]/g, ":$1");
    addRoute(router, undefined, pattern, { name, isRendered: file.endsWith("/page") });
  }
  return (path) => {
    if (!isReadAsIs(path)) return undefined;
    if (path.startsWith("/_next/")) return { name: "file", isRendered: false };
    return findRoute(router, undefined, path)?.data ?? { name: null, isRendered: false };
  };
}

/** Next resolves dot segments, ends a path at `#`, and renders pages as data and for missing images. */
function isReadAsIs(path: string): boolean {
  return !/^\/_next\/(?!static\/)/.test(path) && new URL(`http://n${path}`).pathname === path;
}

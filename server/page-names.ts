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
 * path that Next would take for another one, or cannot decode.
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
  const pageAt = (path: string): PageName => {
    if (path.startsWith("/_next/")) return { name: "file", isRendered: false };
    return findRoute(router, undefined, path)?.data ?? { name: null, isRendered: false };
  };
  return (path) => {
    const page = pageAt(path);
    const read = readByNext(path);
    return read !== undefined && pageAt(read).name === page.name ? page : undefined;
  };
}

/**
 * The path as Next may read it, which also finds /sign-in under /sign%2din; undefined if it changes
 * the path first (dot segments, `#`, page data) or cannot decode it.
 */
function readByNext(path: string): string | undefined {
  try {
    const isPageData = path.startsWith("/_next/data/");
    if (isPageData || new URL(`http://n${path}`).pathname !== path) return undefined;
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

import fs from "node:fs";
import path from "node:path";
import { ROOT } from "./servers";

/**
 * The path of every page, and of every route that pages fetch, as in the folders of `app/`:
 * `/tasks/[id]`. API paths are not included.
 */
export function pagePaths(): string[] {
  const files = fs
    .readdirSync(path.join(ROOT, "app"), { recursive: true, encoding: "utf8" })
    .filter((file) => /^\((dashboard|site)\).*\b(page\.tsx|route\.ts)$/.test(file))
    // A slot renders a page that has its own path.
    .filter((file) => !file.includes("@"));
  const paths = files.map((file) => {
    const segments = path.dirname(file).split(path.sep);
    return `/${segments.filter((segment) => !/^\(.*\)$/.test(segment)).join("/")}`;
  });
  return [...new Set(paths)].sort();
}

import fs from "node:fs";
import path from "node:path";
import { ROOT } from "./servers";

/**
 * The path of every page, and of what pages fetch for themselves, as the folders of `app/` have them:
 * `/tasks/[id]`. The paths of the API are not among them.
 */
export function pagePaths(): string[] {
  const files = fs
    .readdirSync(path.join(ROOT, "app"), { recursive: true, encoding: "utf8" })
    .filter((file) => /^\((dashboard|site)\).*\b(page\.tsx|route\.ts)$/.test(file))
    // A slot shows what has a path of its own.
    .filter((file) => !file.includes("@"));
  const paths = files.map((file) => {
    const segments = path.dirname(file).split(path.sep);
    return `/${segments.filter((segment) => !/^\(.*\)$/.test(segment)).join("/")}`;
  });
  return [...new Set(paths)].sort();
}

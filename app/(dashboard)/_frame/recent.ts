import { kindOf } from "@/lib/resources/kinds";
import type { PaletteItem } from "./palette-items";

const KEY = "recent";
const KEPT_MAX = 6;
/** The title of a page comes after its path. */
const TITLE_MS = 1000;

/** The resources whose pages were open in this tab, the newest first. */
export function recentItems(): PaletteItem[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
}

/** Remembers the page of a resource; the returned function forgets it if the page is left at once. */
export function noteVisit(path: string): () => void {
  const kind = kindOf(path.split("/")[2] ?? "");
  const timer = setTimeout(() => {
    if (!kind) return;
    const href = path.split("/").slice(0, 3).join("/");
    const name = document.title.split(" · ")[0] ?? href;
    const others = recentItems().filter((one) => one.href !== href);
    const item: PaletteItem = { name, href, icon: kind.name };
    sessionStorage.setItem(KEY, JSON.stringify([item, ...others].slice(0, KEPT_MAX)));
  }, TITLE_MS);
  return () => clearTimeout(timer);
}

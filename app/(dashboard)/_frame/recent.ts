import { kindOf, kinds } from "@/lib/resources/kinds";
import type { NavItem } from "./nav-items";

const KEY = "recent";
const KEPT_MAX = 6;
/** The title of a page comes after its path. */
const TITLE_MS = 1000;

/** The resources whose pages were open in this tab, the newest first. */
export function recentItems(): NavItem[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
}

/**
 * Remembers the page of a resource, or of a list whose title names its filters. The returned function
 * forgets it if the page is left at once.
 */
export function noteVisit(path: string): () => void {
  const [, list, id = ""] = path.split("/");
  const kind = kindOf(id) ?? (id === "" ? kinds.find(({ name }) => name === list) : undefined);
  const timer = setTimeout(() => {
    const name = document.title.split(" · ")[0] ?? "";
    if (!kind || (id === "" && !name.startsWith(`${kind.title}: `))) return;
    const href = id === "" ? filteredHref() : `/${list}/${id}`;
    const others = recentItems().filter((one) => one.href !== href);
    const item: NavItem = { name, href, icon: kind.name };
    sessionStorage.setItem(KEY, JSON.stringify([item, ...others].slice(0, KEPT_MAX)));
  }, TITLE_MS);
  return () => clearTimeout(timer);
}

/** The address of the list without the rows that happen to be shown. */
function filteredHref(): string {
  const { pathname, searchParams } = new URL(location.href);
  for (const name of ["after", "shown", "new"]) searchParams.delete(name);
  return `${pathname}?${searchParams}`;
}

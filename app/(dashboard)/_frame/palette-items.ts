import { kindOf, kinds } from "@/lib/resources/kinds";
import { type NavItem, navItems } from "./nav-items";

const PAGES: readonly NavItem[] = [
  ...navItems,
  { name: "Documentation", href: "/docs", icon: "docs" },
];

const NEW_KEY = newItem("key", "keys");

/** All of these change something. */
const ACTIONS: readonly NavItem[] = [
  ...kinds.map(({ name, noun }) => newItem(noun, name)),
  NEW_KEY,
  { name: "Retry failed messages", href: "/messages?status=failed", icon: "refresh" },
  { name: "Claim several", href: "/claim", icon: "keys" },
];

/** What the visitor may do: only a person makes keys, and some keys only read. */
export type May = "all" | "write" | "read";

/** Entries under one heading. */
export interface PaletteGroup {
  value: string;
  items: NavItem[];
}

/** The entries for the typed text in groups; those that begin with it come first. */
export function paletteGroups(
  words: string,
  recent: NavItem[],
  found: NavItem[],
  may: May = "all",
): PaletteGroup[] {
  if (idsIn(words).length > 0) {
    return [{ value: "Found", items: [...paletteItems(words, may), ...found] }];
  }
  const isActions = (item: NavItem) => ACTIONS.includes(item);
  const listed = paletteItems(words, may);
  const answered = {
    value: "Found",
    items: found.toSorted((a, b) => begins(b, words) - begins(a, words)),
  };
  // Enter opens what is named, before and after the server answers.
  const isNamed = listed.some((item) => begins(item, words) > 0);
  const groups = [
    { value: "Recent", items: recent.filter((item) => includes(item, words)) },
    ...(isNamed ? [] : [answered]),
    { value: "Pages", items: listed.filter((item) => !isActions(item)) },
    { value: "Actions", items: listed.filter(isActions) },
    ...(isNamed ? [answered] : []),
  ];
  const seen = new Set<string>();
  return groups
    .map(({ value, items }) => ({
      value,
      items: items.filter(({ href }) => !seen.has(href) && seen.add(href)),
    }))
    .filter(({ items }) => items.length > 0);
}

function includes({ name }: NavItem, words: string): boolean {
  return name.toLowerCase().includes(words.toLowerCase());
}

function begins({ name }: NavItem, words: string): number {
  return name.toLowerCase().startsWith(words.toLowerCase()) ? 1 : 0;
}

function newItem(noun: string, page: string): NavItem {
  return { name: `New ${noun}`, href: `/${page}?new=1`, icon: "plus" };
}

/** Objects without a page of their own: rows of a list page, by ID prefix. */
const LIST_ROWS: Record<string, { page: "keys" | "settings"; tab?: string; noun: string }> = {
  key: { page: "keys", noun: "key" },
  reg: { page: "keys", tab: "agents", noun: "agent" },
  evt: { page: "keys", tab: "log", noun: "event in the log" },
  org: { page: "settings", noun: "organization" },
  usr: { page: "settings", noun: "member" },
  inv: { page: "settings", noun: "invitation" },
  sub: { page: "settings", tab: "developers", noun: "subscription" },
};

/** The entries for typed or pasted text that can be found without a request, without what the visitor may not do. */
export function paletteItems(words: string, may: May = "all"): NavItem[] {
  const ids = idsIn(words);
  const resource = ids.find(kindOf);
  if (resource) return resourceItems(resource, ids.find(isEvent), may);
  const rows = ids.flatMap((id) => {
    const row = LIST_ROWS[prefixOf(id)];
    if (!row) return [];
    const href = `/${row.page}${row.tab ? `?tab=${row.tab}` : ""}#${id}`;
    return [{ name: `Show the ${row.noun} ${id}`, href, icon: row.page }];
  });
  if (rows.length > 0) return rows;
  const actions = may === "all" ? ACTIONS : ACTIONS.filter((item) => item !== NEW_KEY);
  return [...PAGES, ...(may === "read" ? [] : actions)]
    .filter((item) => includes(item, words))
    .toSorted((a, b) => begins(b, words) - begins(a, words));
}

function resourceItems(id: string, event: string | undefined, may: May): NavItem[] {
  const kind = kindOf(id);
  if (!kind) return [];
  const { name: icon, noun } = kind;
  const open: NavItem = { name: `Open the ${noun} ${id}`, href: `/${icon}/${id}`, icon };
  if (event) {
    return [{ name: `Open the event ${event}`, href: `${open.href}/events/${event}`, icon }, open];
  }
  const claim: NavItem = { name: `Claim the ${noun}`, href: `/claim/${id}`, icon: "keys" };
  return may === "read" ? [open] : [open, claim];
}

/** The query for the server; undefined if `paletteItems` is enough. */
export function serverQuery(words: string): string | undefined {
  const ids = idsIn(words);
  const part = ids.find((id) =>
    kinds.some(({ parts }) => parts.some(({ prefix }) => prefix === prefixOf(id))),
  );
  if (part && !ids.some(kindOf)) return `id=${part}`;
  if (ids.length > 0 || words.length < 2) return undefined;
  return `name=${encodeURIComponent(words)}`;
}

/** IDs of any kind in a text, such as a URL; `whe_` is another spelling of `wh_`. */
function idsIn(words: string): string[] {
  const found = words.matchAll(/(?<![0-9A-Za-z])([a-z]{2,5})_([0-9A-Za-z]{10,})/g);
  return [...found].map(([, prefix, rest]) => `${prefix === "whe" ? "wh" : prefix}_${rest}`);
}

function prefixOf(id: string): string {
  return id.slice(0, id.indexOf("_"));
}

function isEvent(id: string): boolean {
  return id.startsWith("wev_") || id.startsWith("iev_");
}

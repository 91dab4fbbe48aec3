import type { IconName } from "@/components/ui/icon";
import { navItems } from "./nav-items";

/** An entry of the palette. */
export interface PaletteItem {
  name: string;
  href: string;
  icon: IconName;
}

const ACTIONS: PaletteItem[] = [
  { name: "New task", href: "/tasks?new=1", icon: "plus" },
  { name: "New webhook endpoint", href: "/webhooks?new=1", icon: "plus" },
  { name: "New artifact", href: "/artifacts?new=1", icon: "plus" },
  { name: "New message", href: "/messages?new=1", icon: "plus" },
  { name: "New inbox", href: "/inboxes?new=1", icon: "plus" },
  { name: "New key", href: "/keys?new=1", icon: "plus" },
  { name: "Claim several", href: "/claim", icon: "keys" },
];

/** Resource kinds by ID prefix. */
const RESOURCES: Record<string, { path: string; noun: string; icon: IconName }> = {
  tsk: { path: "/tasks", noun: "task", icon: "tasks" },
  wh: { path: "/webhooks", noun: "webhook endpoint", icon: "webhooks" },
  art: { path: "/artifacts", noun: "artifact", icon: "artifacts" },
  msg: { path: "/messages", noun: "message", icon: "messages" },
  inbox: { path: "/inboxes", noun: "inbox", icon: "inboxes" },
};

/** Objects without a page: rows of a list page, by ID prefix. */
const LIST_ROWS: Record<string, { page: string; noun: string; icon: IconName }> = {
  key: { page: "/keys", noun: "key", icon: "keys" },
  reg: { page: "/keys", noun: "agent", icon: "keys" },
  evt: { page: "/keys", noun: "event in the log", icon: "keys" },
  org: { page: "/settings", noun: "organization", icon: "settings" },
  usr: { page: "/settings", noun: "member", icon: "settings" },
  inv: { page: "/settings", noun: "invitation", icon: "settings" },
};

/** Parts of a resource; only the server knows which resource. */
const PART_PREFIXES = ["wev", "iev", "att", "shr"];

interface FoundId {
  id: string;
  prefix: string;
}

/** The entries for typed or pasted text that need no request. */
export function paletteItems(words: string): PaletteItem[] {
  const ids = idsIn(words);
  const [resource] = ids.filter(({ prefix }) => prefix in RESOURCES);
  const kind = RESOURCES[resource?.prefix ?? ""];
  if (resource && kind) {
    const event = ids.find(({ prefix }) => prefix === "wev" || prefix === "iev");
    const href = `${kind.path}/${resource.id}`;
    const whole = { name: `Open the ${kind.noun} ${resource.id}`, href, icon: kind.icon };
    const claim: PaletteItem = {
      name: `Claim the ${kind.noun}`,
      href: `/claim/${resource.id}`,
      icon: "keys",
    };
    if (!event) return [whole, claim];
    const part = { name: `Open the event ${event.id}`, href: `${href}/events/${event.id}` };
    return [{ ...part, icon: kind.icon }, whole];
  }
  const lines = ids.flatMap(({ id, prefix }) => {
    const line = LIST_ROWS[prefix];
    if (!line) return [];
    return [{ name: `Show the ${line.noun} ${id}`, href: `${line.page}#${id}`, icon: line.icon }];
  });
  if (lines.length > 0) return lines;
  const known: PaletteItem[] = [...navItems, ...ACTIONS];
  return known.filter(({ name }) => name.toLowerCase().includes(words.toLowerCase()));
}

/** The query for the server; undefined if `paletteItems` needs no help. */
export function serverQuery(words: string): string | undefined {
  const ids = idsIn(words);
  const part = ids.find(({ prefix }) => PART_PREFIXES.includes(prefix));
  if (part && !ids.some(({ prefix }) => prefix in RESOURCES)) return `id=${part.id}`;
  if (ids.length > 0 || words.length < 2) return undefined;
  return `name=${encodeURIComponent(words)}`;
}

/** IDs of any kind in a text, such as a URL; `whe_` is another spelling of `wh_`. */
function idsIn(words: string): FoundId[] {
  const found = words.matchAll(/(?<![0-9A-Za-z])([a-z]{2,5})_([0-9A-Za-z]{10,})/g);
  return [...found].map(([, prefix = "", rest]) => {
    const known = prefix === "whe" ? "wh" : prefix;
    return { id: `${known}_${rest}`, prefix: known };
  });
}

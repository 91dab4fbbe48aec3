import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { maySeeAddresses } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";

/** The tabs of the page by the value of the query parameter `tab`; the first has none. */
export const KEYS_TABS = { keys: "Keys", agents: "Agents", log: "Audit log" } as const;

type KeysTab = keyof typeof KEYS_TABS;

export function tabsFor(caller: Caller): KeysTab[] {
  return maySeeAddresses(caller) ? ["keys", "agents", "log"] : ["keys", "agents"];
}

/** The tab that the query selects. */
export function tabOf(caller: Caller, params: SearchParams): KeysTab {
  const wanted = queryParam(params, "tab");
  return tabsFor(caller).find((tab) => tab === wanted) ?? "keys";
}

/** The address of a tab with these parameters. */
export function tabHref(tab: KeysTab, params: Record<string, string | number | undefined> = {}) {
  return withQuery("/keys", { tab: tab === "keys" ? undefined : tab, ...params });
}

import { queryParam, type SearchParams } from "@/app/_shared/query";
import { inSearchTurn } from "@/app/_shared/search-turn";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import { listAgents, listAudit } from "@/lib/identity/audit/activity";
import { listGrants } from "@/lib/identity/keys/grants";
import { findKeys, listKeys } from "@/lib/identity/keys/organization-keys";
import type { Caller } from "@/lib/platform/caller";
import { versionTag } from "@/lib/platform/http/conditional";
import { titlesOf } from "@/lib/resources/titles";
import { auditFilters, auditSearch } from "./audit-filters";
import { tabOf } from "./tabs";

/** The lists of the tab that the query selects; the others are undefined. */
export async function readLists(caller: Caller, params: SearchParams) {
  const tab = tabOf(caller, params);
  const q = queryParam(params, "q") || undefined;
  if (tab === "log") {
    const search = auditSearch(auditFilters(params));
    const events = await readShown(caller, params, (page) => listAudit(caller, page, search));
    const ids = events.data
      .flatMap(({ data }) => Object.values(data))
      .filter((value) => typeof value === "string");
    return { events, titles: await titlesOf(caller, ids) };
  }
  if (tab === "agents") return { agents: await inSearchTurn(caller, () => listAgents(caller, q)) };
  const [keys, grants] = await Promise.all([
    readShown(caller, params, (page) => (q ? findKeys(caller, q, page) : listKeys(caller, page))),
    listGrants(caller, q),
  ]);
  return { keys, grants };
}

export type Lists = Awaited<ReturnType<typeof readLists>>;

export function rowsOf({ keys, grants, agents, events }: Lists): { id: string }[] {
  return [
    ...(keys?.data ?? []),
    ...(grants?.data ?? []),
    ...(agents?.data ?? []),
    ...(events?.data ?? []),
  ];
}

/** A tag that changes whenever the lists do. */
export function versionOf({ keys, grants, agents, events }: Lists): string {
  return versionTag([keys?.data, keys?.total_count, grants, agents, events?.data]);
}

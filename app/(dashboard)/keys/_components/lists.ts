import { queryParam, type SearchParams } from "@/app/_shared/query";
import { nextRange, rangeParams } from "@/app/(dashboard)/_shared/listing";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import { versionTag } from "@/app/(dashboard)/_shared/version-tag";
import { maySeeAddresses } from "@/lib/identity/access";
import { type AuditEntry, listAgents, listAudit } from "@/lib/identity/audit/activity";
import { listGrants } from "@/lib/identity/keys/grants";
import { findKeys, listKeys } from "@/lib/identity/keys/organization-keys";
import type { Caller } from "@/lib/platform/caller";
import type { List, ListQuery } from "@/lib/platform/lists/list";
import { actionsSaying } from "./audit-words";

/** The search texts: `q` for keys, clients and agents, `log` for the log. */
export function searchesOf(params: SearchParams) {
  return { q: queryParam(params, "q") || undefined, log: queryParam(params, "log") || undefined };
}

/** Selects the keys to show; `after` and `shown` belong to the log. */
function keyRange(params: SearchParams): SearchParams {
  return { after: params.key, shown: params.keys };
}

/** The parameters that select the keys and log entries to show. */
export function shownParams(params: SearchParams) {
  const { after: key, shown: keys } = rangeParams(keyRange(params));
  return { ...rangeParams(params), key, keys };
}

/** The parameters of the page with more keys; undefined if all are shown. */
export function moreKeys(params: SearchParams, keys: List<unknown>) {
  const next = nextRange(keyRange(params), keys);
  return next && { ...searchesOf(params), key: next.after, keys: next.shown };
}

/** Keys, connected clients, agents and the log, and a tag that changes whenever they do. */
export async function readLists(caller: Caller, params: SearchParams) {
  const { q, log } = searchesOf(params);
  const [keys, grants, agents, events] = await Promise.all([
    readShown(keyRange(params), (page) => (q ? findKeys(caller, q, page) : listKeys(caller, page))),
    listGrants(caller, q),
    listAgents(caller, q),
    maySeeAddresses(caller) ? readShown(params, (page) => readAudit(caller, page, log)) : undefined,
  ]);
  const lists = { keys, grants, agents, events };
  return { ...lists, version: versionTag({ ...lists, keys: keys.data, events: events?.data }) };
}

function readAudit(
  caller: Caller,
  page: Pick<ListQuery, "limit" | "after" | "include">,
  words: string | undefined,
): Promise<List<AuditEntry>> {
  return listAudit(caller, page, words ? { words, actions: actionsSaying(words) } : undefined);
}

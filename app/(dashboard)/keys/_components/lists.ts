import { queryParam, type SearchParams } from "@/app/_shared/query";
import { markOf } from "@/app/(dashboard)/_shared/mark";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import { maySeeAddresses } from "@/lib/accounts/access";
import { type AuditEntry, listAgents, listAudit } from "@/lib/accounts/activity";
import { listGrants } from "@/lib/accounts/grants";
import { findKeys, listKeys } from "@/lib/accounts/organization-keys";
import type { Caller } from "@/lib/caller";
import type { List, ListQuery } from "@/lib/http/list";
import { actionsSaying } from "./audit-words";

/** The search texts: `q` for keys, clients and agents, `log` for the log. */
export function searchesOf(params: SearchParams) {
  return { q: queryParam(params, "q") || undefined, log: queryParam(params, "log") || undefined };
}

/** Keys, connected clients, agents and the log, and a tag that changes whenever they do. */
export async function readLists(caller: Caller, params: SearchParams) {
  const { q, log } = searchesOf(params);
  const [found, keys, grants, agents, events] = await Promise.all([
    q ? readShown({ after: params.key }, (page) => findKeys(caller, q, page)) : undefined,
    q ? [] : listKeys(caller),
    listGrants(caller, q),
    listAgents(caller, q),
    maySeeAddresses(caller) ? readShown(params, (page) => readAudit(caller, page, log)) : undefined,
  ]);
  const lists = { keys: found?.data ?? keys, grants, agents, events };
  return {
    ...lists,
    moreKeys: found?.next_cursor,
    mark: markOf({ ...lists, events: events?.data }),
  };
}

function readAudit(
  caller: Caller,
  page: Pick<ListQuery, "limit" | "after" | "include">,
  words: string | undefined,
): Promise<List<AuditEntry>> {
  return listAudit(caller, page, words ? { words, actions: actionsSaying(words) } : undefined);
}

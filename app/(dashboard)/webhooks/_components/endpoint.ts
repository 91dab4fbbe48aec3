import { queryParam, type SearchParams } from "@/app/_shared/query";
import { readOnce } from "@/app/_shared/resources";
import { visitor } from "@/app/_shared/session";
import { rangeParams } from "@/app/(dashboard)/_shared/listing";
import { readOrNotFound } from "@/app/(dashboard)/_shared/read-or-not-found";
import { searchTokens } from "@/app/(dashboard)/_shared/search-tokens";
import { mayWrite } from "@/lib/platform/caller";
import * as webhooks from "@/lib/resources/webhooks/service";

/** The endpoint, or else the "not found" or sign-in page. `here` is the page's own path. */
export async function readEndpoint(id: string, here: string) {
  const { caller } = await visitor();
  const endpoint = await readOrNotFound(here, () => readOnce(webhooks.get, caller, id));
  return { caller, endpoint, canWrite: mayWrite(caller) };
}

/** The filters of an endpoint's events, as parameters or as words of the search. */
export function filtersOf(params: SearchParams) {
  const typed = searchTokens(queryParam(params, "q"), ["method", "header"]);
  return {
    method: (typed.method ?? queryParam(params, "method"))?.toUpperCase() || undefined,
    q: typed.text || undefined,
    header: (typed.header?.replace("=", ": ") ?? queryParam(params, "header")) || undefined,
  };
}

/** Query parameters preserved while an event is open. */
export function preservedParams(params: SearchParams): Record<string, string | undefined> {
  return { ...filtersOf(params), ...rangeParams(params) };
}

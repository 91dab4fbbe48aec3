import { queryParam, type SearchParams } from "@/app/_shared/query";
import { rangeParams } from "@/app/(dashboard)/_shared/listing";
import { searchTokens } from "@/app/(dashboard)/_shared/search-tokens";

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

import { cache } from "react";
import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { readOnce } from "@/app/_shared/resources";
import { visitor } from "@/app/_shared/session";
import { readOrNotFound } from "@/app/(dashboard)/_shared/read-or-not-found";
import { mayWrite } from "@/lib/caller";
import * as webhooks from "@/lib/webhooks/service";

/** What every page of an endpoint begins with; the list and what stands beside it read it once. */
export const endpointOf = cache(async (id: string, here: string) => {
  const { caller, account } = await visitor();
  const endpoint = await readOrNotFound(here, () => readOnce(webhooks.get, caller, id));
  const canWrite = mayWrite(caller);
  return { caller, account, endpoint, canWrite };
});

export function filtersOf(params: SearchParams) {
  return {
    method: queryParam(params, "method")?.toUpperCase() || undefined,
    q: queryParam(params, "q") || undefined,
  };
}

/** Query parameters preserved while an event is open. */
export function preservedParams(params: SearchParams): Record<string, string | undefined> {
  return {
    ...filtersOf(params),
    after: queryParam(params, "after"),
    shown: queryParam(params, "shown"),
  };
}

/** The address of an event among the others that are listed. */
export function eventAddress(id: string, eventId: string, params: SearchParams): string {
  return withQuery(`/webhooks/${id}/events/${eventId}`, params);
}

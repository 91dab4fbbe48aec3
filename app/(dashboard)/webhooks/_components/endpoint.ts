import { cache } from "react";
import { address, one, type SearchParams } from "@/app/_shared/address";
import { readOnce } from "@/app/_shared/resources";
import { visitor } from "@/app/_shared/session";
import { found } from "@/app/(dashboard)/_shared/found";
import { mayWrite } from "@/lib/accounts/caller";
import * as webhooks from "@/lib/webhooks/service";

/** What every page of an endpoint begins with; the list and what stands beside it read it once. */
export const endpointOf = cache(async (id: string, here: string) => {
  const { caller, account } = await visitor();
  const endpoint = await found(here, () => readOnce(webhooks.get, caller, id));
  const canWrite = mayWrite(caller);
  return { caller, account, endpoint, canWrite };
});

export function filtersOf(params: SearchParams) {
  return {
    method: one(params, "method")?.toUpperCase() || undefined,
    q: one(params, "q") || undefined,
  };
}

/** What of the address stays when an event is opened and closed. */
export function keptOf(params: SearchParams): Record<string, string | undefined> {
  return { ...filtersOf(params), after: one(params, "after"), shown: one(params, "shown") };
}

/** The address of an event among the others that are listed. */
export function eventAddress(id: string, eventId: string, params: SearchParams): string {
  return address(`/webhooks/${id}/events/${eventId}`, params);
}

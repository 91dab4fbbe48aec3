import type { SearchParams } from "@/app/_shared/query";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import type { Caller } from "@/lib/platform/caller";
import { titlesOf } from "@/lib/resources/titles";
import { lastEvents } from "@/lib/resources/webhooks/events/last-events";
import * as webhooks from "@/lib/resources/webhooks/service";

/** The endpoints that the query selects, each with its last event. `words` is the search text. */
export async function readEndpoints(caller: Caller, params: SearchParams, words?: string) {
  const list = await readShown(caller, params, (part) => webhooks.list(caller, part, words));
  const ids = list.data.map(({ id }) => id);
  const last = await lastEvents(caller, ids);
  const targets = [...last.values()].flatMap(({ forward }) => forward ?? []);
  return { list, last, inboxes: await titlesOf(caller, targets) };
}

import type { Caller } from "@/lib/platform/caller";
import { listEventReplays } from "@/lib/resources/webhooks/replays/history";
import { listStored } from "@/lib/resources/webhooks/replays/service";

const EVENT_REPLAYS_SHOWN = 20;
const REPLAYS_SHOWN = 20;

/** The replays of an event that its page shows. Throws 404. */
export function readEventReplays(caller: Caller, id: string, eventId: string) {
  return listEventReplays(caller, id, eventId, { limit: EVENT_REPLAYS_SHOWN });
}

/** The bulk replays that their page shows. Throws 404. */
export function readReplays(caller: Caller, id: string) {
  return listStored(caller, id, { limit: REPLAYS_SHOWN });
}

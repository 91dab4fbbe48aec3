import { poolSize } from "@/lib/db/connections";
import { oncePerProcess } from "@/lib/process";
import { Gate } from "./gate";

/** The part of the connections that searches, counts and exports may use. */
const POOL_SHARE = 4;
export const SEARCHES_PER_NETWORK_MAX = 1;
export const SEARCHES_WAITING_MAX = 100;
export const SEARCHES_WAITING_PER_NETWORK_MAX = 10;
export const SEARCH_WAIT_MS_MAX = 10_000;
/** Above the time limit of a statement. */
const TURN_MS_MAX = 30_000;

/** Searches, counts and pages of exports take turns, so that captures find a connection. */
export function searchGate(): Gate {
  return oncePerProcess(
    "http.search-gate",
    () =>
      new Gate({
        running: searchesMax(),
        runningPerNetwork: SEARCHES_PER_NETWORK_MAX,
        waiting: SEARCHES_WAITING_MAX,
        waitingPerNetwork: SEARCHES_WAITING_PER_NETWORK_MAX,
        waitMsMax: SEARCH_WAIT_MS_MAX,
        turnMsMax: TURN_MS_MAX,
        message: "Too many searches, counts and exports at once. Try again in a moment.",
      }),
  );
}

/** How many searches one process runs at once. */
export function searchesMax(): number {
  return Math.max(Math.floor(poolSize() / POOL_SHARE), 1);
}

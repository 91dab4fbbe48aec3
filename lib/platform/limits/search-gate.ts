import { poolSize } from "@/lib/platform/db/connections";
import { clientAddress } from "@/lib/platform/http/address";
import type { HttpRequest } from "@/lib/platform/http/request";
import { wantsTotal } from "@/lib/platform/lists/list";
import { oncePerProcess } from "@/lib/platform/process";
import { Gate } from "./gate";

/** The fraction of the connections that searches, counts and exports may use, as a divisor. */
const POOL_SHARE = 4;
export const SEARCHES_PER_NETWORK_MAX = 1;
export const SEARCHES_WAITING_MAX = 100;
export const SEARCHES_WAITING_PER_NETWORK_MAX = 10;
export const SEARCH_WAIT_MS_MAX = 10_000;
/** Above the time limit of a statement. */
const TURN_MS_MAX = 30_000;

/** Searches, counts, pages of exports and steps of deletions take turns, so that captures find a connection. */
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

/** Runs each search of one request in a turn of its own. */
export type InTurn = <T>(search: () => Promise<T>) => Promise<T>;

/** Runs what takes no turn, since it does not take long. */
export const atOnce: InTurn = (read) => read();

/** The turns of a request's searches. Under way, as in a stream, they may wait as long as it takes. */
export function turnsOf(request: HttpRequest, { isUnderWay = true } = {}): InTurn {
  const asked = { address: clientAddress(request), signal: request.signal, isUnderWay };
  return (search) => searchGate().run(asked, search);
}

/** Whether a query or body asks for a text search or for the length of a list. */
export function isSearch(asked: object): boolean {
  const { q, header, include }: { q?: unknown; header?: unknown; include?: unknown } = asked;
  const counts = typeof include === "string" && wantsTotal({ include });
  return typeof q === "string" || typeof header === "string" || counts;
}

/** How many searches one process runs at once. */
export function searchesMax(): number {
  return Math.max(Math.floor(poolSize() / POOL_SHARE), 1);
}

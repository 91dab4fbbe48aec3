import { CHECKED_MS } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { aside, pageTurn } from "@/lib/platform/limits/page-turn";
import { searchGate } from "@/lib/platform/limits/search-gate";
import { assertSignedInAs, visitorAddress } from "./session";

/**
 * Runs a page's search or count for the caller in a turn. A page that has a turn itself waits for it as
 * long as its visitor does, since a refusal would replace the page. Until then, others may use the place of
 * its own turn. Everything else gets 429 if there are too many. Throws 401 if the session has ended by then.
 */
export async function inSearchTurn<T>(caller: Caller, search: () => Promise<T>): Promise<T> {
  const address = await visitorAddress();
  const since = performance.now();
  const turn = pageTurn.getStore();
  const asked = turn ? { address, signal: turn.signal, isUnderWay: true } : { address };
  const checked = async () => {
    if (performance.now() - since > CHECKED_MS) await assertSignedInAs(caller);
    return search();
  };
  return aside(() => searchGate().run(asked, checked));
}

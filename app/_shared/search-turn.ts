import { aside, pageTurn } from "@/lib/platform/limits/page-turn";
import { searchGate } from "@/lib/platform/limits/search-gate";
import { visitorAddress } from "./session";

/**
 * Runs a page's search or count in a turn. A page that has a turn itself waits for it as long as its
 * visitor does, since a refusal would replace the page. Until then, others may use the place of its own
 * turn. Everything else gets 429 if there are too many.
 */
export async function inSearchTurn<T>(search: () => Promise<T>): Promise<T> {
  const address = await visitorAddress();
  const turn = pageTurn.getStore();
  const asked = turn ? { address, signal: turn.signal, isUnderWay: true } : { address };
  return aside(() => searchGate().run(asked, search));
}

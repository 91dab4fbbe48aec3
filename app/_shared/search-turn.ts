import { searchGate } from "@/lib/platform/limits/search-gate";
import { visitorAddress } from "./session";

/** Runs a page's search or count in a turn. Throws 429 if there are too many. */
export async function inSearchTurn<T>(search: () => Promise<T>): Promise<T> {
  return searchGate().run({ address: await visitorAddress() }, search);
}

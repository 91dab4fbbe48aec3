import { formPairs } from "./form-pairs";
import { PairTable } from "./pair-table";

const PAIRS_MAX = 200;
/** Less than for a body, since one page shows both. */
const CHARACTERS_MAX = 20_000;

/** All pairs of a query string in order, including repeated names. */
export function QueryTable({ queryString }: { queryString: string }) {
  const { pairs, isCut } = formPairs(queryString, PAIRS_MAX);
  return (
    <>
      <PairTable label="Query" pairs={pairs} budget={{ left: CHARACTERS_MAX }} />
      {isCut && <p className="mt-1 text-small text-muted">These are the first {pairs.length}.</p>}
    </>
  );
}

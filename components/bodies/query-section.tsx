import { Section } from "@/components/ui/section";
import { formPairs } from "./form-pairs";
import { PairTable } from "./pair-table";

const PAIRS_MAX = 200;
/** Less than for a body, since one page shows both. */
const CHARACTERS_MAX = 20_000;

/** All pairs of a query string in order, including repeated names. Empty if there are none. */
export function QuerySection({ queryString }: { queryString: string }) {
  const { pairs, isCut } = formPairs(queryString, PAIRS_MAX);
  if (pairs.length === 0) return null;
  return (
    <Section title={`Query, ${isCut ? "more than " : ""}${pairs.length}`}>
      <PairTable label="Query" pairs={pairs} budget={{ left: CHARACTERS_MAX }} />
    </Section>
  );
}

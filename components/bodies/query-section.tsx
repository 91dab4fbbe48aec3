import { Section } from "@/components/ui/section";
import { formPairs } from "./form-pairs";
import { PairTable } from "./pair-table";

const PAIRS_MAX = 200;
/** Less than a body has: both are on one page. */
const ROOM = 20_000;

/** All pairs of a query string in order, with repeated names; nothing if it has none. */
export function QuerySection({ queryString }: { queryString: string }) {
  const { pairs, isCut } = formPairs(queryString, PAIRS_MAX);
  if (pairs.length === 0) return null;
  return (
    <Section title={`Query, ${isCut ? "more than " : ""}${pairs.length}`}>
      <PairTable label="Query" pairs={pairs} room={{ left: ROOM }} />
    </Section>
  );
}

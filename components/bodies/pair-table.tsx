import type { ReactNode } from "react";
import { PairRows } from "@/components/ui/pair-rows";
import { truncate } from "@/lib/platform/truncate";
import type { Pair } from "./form-pairs";
import { JsonTree } from "./json-tree";
import { type CharacterBudget, jsonValue } from "./json-value";

const VALUE_CHARACTERS_MAX = 5000;
/** A pair takes as much HTML as this many characters. */
const PAIR_CHARACTERS = 64;

interface Props {
  label: string;
  pairs: Pair[];
  budget: CharacterBudget;
}

/** Names and values in order, with repeated names. JSON becomes a tree if the budget allows it. */
export function PairTable({ label, pairs, budget }: Props) {
  for (const [name, value] of pairs) {
    budget.left -= PAIR_CHARACTERS + name.length + Math.min(value.length, VALUE_CHARACTERS_MAX);
  }
  const rows = pairs.map(([name, value]): [string, ReactNode] => [
    truncate(name, VALUE_CHARACTERS_MAX),
    shown(value, budget),
  ]);
  return <PairRows label={label} rows={rows} />;
}

function shown(value: string, budget: CharacterBudget): ReactNode {
  const isShort = value.length <= VALUE_CHARACTERS_MAX;
  const tree = isShort && /^\s*[{[]/.test(value) ? jsonValue(value, budget) : undefined;
  if (tree) return <JsonTree value={tree} />;
  if (isShort) return value.toWellFormed();
  return (
    <>
      {truncate(value, VALUE_CHARACTERS_MAX)}
      <span data-note className="text-muted">
        … {value.length.toLocaleString("en")} characters
      </span>
    </>
  );
}

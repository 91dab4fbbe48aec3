import { truncate } from "@/lib/platform/truncate";
import type { Pair } from "./form-pairs";
import { JsonTree } from "./json-tree";
import { type CharacterBudget, type JsonValue, jsonValue } from "./json-value";

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
  const rows = pairs.map(([name, value], at) => ({ at, name, value, tree: treeOf(value, budget) }));
  return (
    <dl
      aria-label={label}
      className="grid grid-cols-[minmax(6rem,11rem)_minmax(0,1fr)] gap-x-4 font-mono text-small"
    >
      {rows.map(({ at, name, value, tree }) => (
        <div key={at} className="col-span-2 grid grid-cols-subgrid border-b border-line py-1">
          <dt className="wrap-anywhere text-muted">{truncate(name, VALUE_CHARACTERS_MAX)}</dt>
          <dd className="min-w-0 wrap-anywhere whitespace-pre-wrap">
            <PairValue value={value} tree={tree} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function treeOf(value: string, budget: CharacterBudget): JsonValue | undefined {
  const isShort = value.length <= VALUE_CHARACTERS_MAX;
  return isShort && /^\s*[{[]/.test(value) ? jsonValue(value, budget) : undefined;
}

function PairValue({ value, tree }: { value: string; tree: JsonValue | undefined }) {
  if (tree) return <JsonTree value={tree} />;
  if (value.length <= VALUE_CHARACTERS_MAX) return value.toWellFormed();
  return (
    <>
      {truncate(value, VALUE_CHARACTERS_MAX)}
      <span data-note className="text-muted">
        … {value.length.toLocaleString("en")} characters
      </span>
    </>
  );
}

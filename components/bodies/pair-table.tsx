import { truncate } from "@/components/ui/truncate";
import type { Pair } from "./form-pairs";
import { JsonTree } from "./json-tree";
import { jsonValue } from "./json-value";

const VALUE_CHARACTERS_MAX = 5000;

/** Names and values in order, with repeated names; a value that is JSON is shown as a tree. */
export function PairTable({ label, pairs }: { label: string; pairs: Pair[] }) {
  return (
    <dl
      aria-label={label}
      className="grid grid-cols-[minmax(6rem,11rem)_minmax(0,1fr)] gap-x-4 font-mono text-small"
    >
      {pairs.map(([name, value], index) => (
        <div
          key={[index, name].join()}
          className="col-span-2 grid grid-cols-subgrid border-b border-line py-1"
        >
          <dt className="wrap-anywhere text-muted">{truncate(name, VALUE_CHARACTERS_MAX)}</dt>
          <dd className="min-w-0 wrap-anywhere whitespace-pre-wrap">
            <PairValue value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function PairValue({ value }: { value: string }) {
  if (value.length <= VALUE_CHARACTERS_MAX) {
    const json = /^\s*[{[]/.test(value) ? jsonValue(value) : undefined;
    return json ? <JsonTree value={json} /> : value.toWellFormed();
  }
  return (
    <>
      {truncate(value, VALUE_CHARACTERS_MAX)}
      <span data-note className="text-muted">
        … {value.length.toLocaleString("en")} characters
      </span>
    </>
  );
}

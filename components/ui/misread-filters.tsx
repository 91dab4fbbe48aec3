import { wordList } from "@/lib/platform/http/issue-message";
import { truncate } from "@/lib/platform/truncate";

const VALUE_CHARACTERS_MAX = 60;

/** A filter in the address whose value the list does not know. */
export interface Misread {
  name: string;
  value: string;
  allowed: readonly string[];
}

/** Names the filters that a list left out, and the values that they can have. */
export function MisreadFilters({ misread }: { misread: readonly Misread[] }) {
  return misread.map(({ name, value, allowed }) => (
    <p key={name} role="status" className="mt-2 wrap-anywhere">
      {"The filter "}
      <bdi className="font-mono text-small">{`${name}=${truncate(value, VALUE_CHARACTERS_MAX)}`}</bdi>
      {` has an unknown value and was left out. It can be ${wordList([...allowed], "or")}.`}
    </p>
  ));
}

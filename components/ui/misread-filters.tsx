import { wordList } from "@/lib/platform/http/issue-message";
import { truncate } from "@/lib/platform/truncate";

const VALUE_CHARACTERS_MAX = 60;

/** A filter of an address whose value the list does not have. */
export interface Misread {
  name: string;
  value: string;
  allowed: readonly string[];
}

/** Names the filters without which a list is shown, and what they can be. */
export function MisreadFilters({ misread }: { misread: readonly Misread[] }) {
  return misread.map(({ name, value, allowed }) => (
    <p key={name} role="status" className="mt-2 wrap-anywhere">
      {"The filter "}
      <bdi className="font-mono text-small">{`${name}=${truncate(value, VALUE_CHARACTERS_MAX)}`}</bdi>
      {` is not known and was left out. It can be ${wordList([...allowed], "or")}.`}
    </p>
  ));
}

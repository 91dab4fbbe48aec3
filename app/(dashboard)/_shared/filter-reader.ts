import { queryParam, type SearchParams } from "@/app/_shared/query";
import type { Misread } from "@/components/ui/misread-filters";

/**
 * Takes the query of a list's page, and the filters that were typed into its search: see `searchTokens`.
 * Returns functions that read its filters, and the filters with unknown values, which the toolbar names.
 */
export function filterReader(params: SearchParams, typed: Partial<Record<string, string>> = {}) {
  const misread: Misread[] = [];
  const given = (name: string) => typed[name] ?? queryParam(params, name);
  return {
    misread,
    given,
    /** The filter of the first of these names that has a value; undefined unless it is allowed. */
    choice<Value extends string>(allowed: readonly Value[], ...names: string[]): Value | undefined {
      const name = names.find((one) => given(one)) ?? "";
      const value = given(name);
      const found = allowed.find((one) => one === value);
      if (value && found === undefined) misread.push({ name, value, allowed });
      return found;
    },
  };
}

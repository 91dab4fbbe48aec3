/** The query of a recorded request, by name; of a repeated name, the last value. */
export function readQuery(query: string): Record<string, string> {
  if (query === "") return {};
  // `fromEntries` treats `__proto__` as a normal name. URLSearchParams strips one leading question
  // mark, so add one.
  return Object.fromEntries(new URLSearchParams(`?${query}`));
}

/** A name and a value, decoded. */
export type Pair = [name: string, value: string];

/**
 * The pairs of a form or query string in order, including repeated names, up to these numbers of
 * pairs and characters. Invalid escapes are kept, and invalid UTF-8 becomes replacement characters.
 */
export function formPairs(
  text: string,
  pairsMax: number,
  charactersMax = Number.POSITIVE_INFINITY,
): { pairs: Pair[]; isCut: boolean } {
  // URLSearchParams strips one leading question mark, so add one.
  const all = [...new URLSearchParams(`?${text.slice(0, charactersMax)}`)];
  const isCut = text.length > charactersMax || all.length > pairsMax;
  return { pairs: all.slice(0, pairsMax), isCut };
}

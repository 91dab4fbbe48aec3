/** A name and a value, decoded. */
export type Pair = [name: string, value: string];

/**
 * The pairs of a form or query string in order, including repeated names. Stops at these numbers of
 * pairs and characters, so that a million pairs cost no more.
 */
export function formPairs(
  text: string,
  pairsMax: number,
  charactersMax = Number.POSITIVE_INFINITY,
): { pairs: Pair[]; isCut: boolean } {
  const pairs: Pair[] = [];
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf("&", at) === -1 ? text.length : text.indexOf("&", at);
    if (end > at) {
      if (pairs.length === pairsMax) return { pairs, isCut: true };
      const pair = text.slice(at, Math.min(end, charactersMax));
      const equals = pair.indexOf("=");
      const name = equals === -1 ? pair : pair.slice(0, equals);
      pairs.push([decoded(name), equals === -1 ? "" : decoded(pair.slice(equals + 1))]);
    }
    if (end > charactersMax) return { pairs, isCut: true };
    at = end + 1;
  }
  return { pairs, isCut: false };
}

/** Invalid escapes are kept, and invalid UTF-8 becomes replacement characters. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return new URLSearchParams(`=${text}`).get("") ?? text;
  }
}

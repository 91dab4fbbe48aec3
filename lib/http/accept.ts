/**
 * The offered media type that an `Accept` header prefers; `offered[0]` for a wildcard or if none is
 * accepted. Ties go to the one named first.
 */
export function preferredType(accept: string | null, offered: readonly string[]): string {
  const [fallback = ""] = offered;
  const wanted = (accept ?? "").split(",").flatMap((part, index) => {
    const [name = "", ...parameters] = part
      .toLowerCase()
      .split(";")
      .map((text) => text.trim());
    const type = name === "*/*" ? fallback : name;
    if (!offered.includes(type)) return [];
    const q = Number(parameters.find((text) => text.startsWith("q="))?.slice(2) ?? 1);
    return q > 0 ? [{ type, q, index }] : [];
  });
  const [best] = wanted.sort((a, b) => b.q - a.q || a.index - b.index);
  return best?.type ?? fallback;
}

/**
 * The one of these media types that an `Accept` header wants most; `offered[0]` where it names none
 * of them. A wildcard stands for the first. Of two wanted alike, the one named first counts.
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

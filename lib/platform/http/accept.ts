/** Whether the client names HTML, as browsers do. Agents accept anything, and prefer text. */
export function prefersHtml(accept: string | null): boolean {
  return preferredType(accept, ["text/markdown", "text/html", ...OTHERS]) === "text/html";
}

/** Whether this client gets the home page as text. Browsers, and their scripts, do not. */
export function readsText(accept: string | null, fetchSite: string | null): boolean {
  if (fetchSite === null) return !prefersHtml(accept);
  return preferredType(accept, ["text/html", "text/markdown", ...OTHERS]) !== "text/html";
}

const OTHERS = ["text/plain", "application/json"];

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

/** The first of the content codings that an `Accept-Encoding` header accepts. */
export function acceptedCoding<Coding extends string>(
  header: string | null,
  offered: readonly Coding[],
): Coding | undefined {
  const accepted = (header ?? "").split(",").flatMap((part) => {
    const [name = "", weight = ""] = part.toLowerCase().split(";");
    return /q\s*=\s*0(?:\.0*)?\s*$/.test(weight) ? [] : [name.trim()];
  });
  return offered.find((coding) => accepted.includes(coding));
}

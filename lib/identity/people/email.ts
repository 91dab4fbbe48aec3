const LENGTH_MAX = 254;
const LOCAL_PART_MAX = 64;

/**
 * Normalizes an email address. Undefined unless the text is a single plain address. ASCII only,
 * since Unicode letters can look like, or case-fold to, another person's address.
 */
export function normalizeEmail(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > LENGTH_MAX || !ADDRESS.test(trimmed)) return undefined;
  return trimmed.indexOf("@") <= LOCAL_PART_MAX ? trimmed.toLowerCase() : undefined;
}

// An RFC 5322 dot-atom without quoting or comments, at a domain name, not an address literal.
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
const ADDRESS = new RegExp(`^${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})*$`);

const LENGTH_MAX = 254;
const LOCAL_PART_MAX = 64;

/**
 * An address in the one form in which it is stored and compared, or undefined when the text is no
 * single plain address. ASCII only: other letters can look like, or fold to, somebody else's.
 */
export function normalizeEmail(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > LENGTH_MAX || !ADDRESS.test(trimmed)) return undefined;
  return trimmed.indexOf("@") <= LOCAL_PART_MAX ? trimmed.toLowerCase() : undefined;
}

// RFC 5322 dot-atom without quoting and comments; a domain name, not an address literal.
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
const ADDRESS = new RegExp(`^${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})*$`);

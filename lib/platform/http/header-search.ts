import { type Sql, sql } from "@/lib/platform/db/sql";

/**
 * The condition that recorded headers, which are the text of a JSON object with lower-case names,
 * contain a text or have a `name: value`, ignoring case. The value may be part of the header's.
 */
export function hasHeader(headers: Sql, header: string): Sql {
  const [, name, value] = /^([!#$%&'*+.^`|~\w-]+):[ \t]*(.*)$/s.exec(header) ?? [];
  if (name === undefined || value === undefined) {
    return sql`position(lower(${inJson(header)}::text) IN lower(${headers})) > 0`;
  }
  // A quotation mark inside a value is escaped, so only names match.
  const inValue = `"${literal(name)}":"(?:[^"\\\\]|\\\\.)*${literal(inJson(value))}`;
  return sql`${headers} ~* ${inValue}::text`;
}

/** The text as it appears inside a JSON string. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** A regular expression for the text. Postgres allows a backslash before punctuation. */
function literal(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, "\\$&");
}

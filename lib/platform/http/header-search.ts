import { type Sql, sql } from "@/lib/platform/db/sql";

/**
 * The condition that recorded headers, the text of a JSON object with lower-case names, contain a text
 * or have a `name: value`, whatever their case. The value may be a part of the header's.
 */
export function hasHeader(headers: Sql, header: string): Sql {
  const [, name, value] = /^([!#$%&'*+.^`|~\w-]+):[ \t]*(.*)$/s.exec(header) ?? [];
  if (name === undefined || value === undefined) {
    return sql`position(lower(${inJson(header)}::text) IN lower(${headers})) > 0`;
  }
  // A quotation mark within a value is escaped, so only names match.
  const inValue = `"${literal(name)}":"(?:[^"\\\\]|\\\\.)*${literal(inJson(value))}`;
  return sql`${headers} ~* ${inValue}::text`;
}

/** The text as it is inside of a JSON string. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** A regular expression that matches the text. Postgres takes a backslash before all but letters and digits. */
function literal(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, "\\$&");
}

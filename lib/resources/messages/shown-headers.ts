import { type Caller, mayWrite } from "@/lib/platform/caller";
import { REDACTED } from "@/lib/platform/http/recorded-headers";

const CREDENTIALS = /^(?:(?:proxy-)?authorization|cookie|.*(?:key|token|secret))$/i;

/**
 * The headers of an outgoing request of `organizationId`, as the caller may see them. A read-only caller does not see
 * headers that commonly hold credentials: with them it could write, at the target or here. Anyone with the ID of a
 * public resource sees all of its headers.
 */
export function shownHeaders(
  headers: Record<string, string>,
  organizationId: string | null,
  caller: Caller,
): Record<string, string> {
  if (organizationId === null || mayWrite(caller)) return headers;
  // `fromEntries` treats `__proto__` as a normal name.
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      CREDENTIALS.test(name) ? REDACTED : value,
    ]),
  );
}

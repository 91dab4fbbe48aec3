import { isCredential, REDACTED } from "@/lib/platform/http/recorded-headers";
import { FORWARDED_HEADER } from "@/lib/platform/http/relayed";
import { methods } from "@/lib/resources/messages/contract";
import {
  HEADERS_BYTES_MAX,
  HEADERS_MAX,
  isSenderHeader,
  isTargetHeader,
} from "@/lib/resources/messages/target";

/** Methods that messages do not support become POST. */
export function sendableMethod(method: string) {
  return methods.find((known) => known === method) ?? "POST";
}

/**
 * All recorded headers with which the sender's request can be repeated, including its signatures.
 * Credentials were meant for the endpoint, and connection headers for that connection.
 */
export function sendersHeaders(recorded: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(recorded).filter(
      ([name, value]) =>
        !isCredential(name) &&
        !value.includes(REDACTED) &&
        name !== FORWARDED_HEADER &&
        isSenderHeader(name, value),
    ),
  );
}

/** The recorded headers that a message may have, in order, as many as fit. */
export function sendableHeaders(recorded: Record<string, string>): Record<string, string> {
  const headers: [string, string][] = [];
  let bytes = 0;
  for (const [name, value] of Object.entries(recorded)) {
    if (headers.length === HEADERS_MAX) break;
    const size = name.length + value.length;
    if (bytes + size > HEADERS_BYTES_MAX || !isTargetHeader(name, value)) continue;
    if (isCredential(name) || value.includes(REDACTED)) continue;
    headers.push([name, value]);
    bytes += size;
  }
  return Object.fromEntries(headers);
}

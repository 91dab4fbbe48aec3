import { isCredential, REDACTED } from "@/lib/http/recorded-headers";
import { FORWARDED_HEADER } from "@/lib/http/relayed";
import { methods } from "@/lib/messages/contract";
import { isOfSender, targetHeaders } from "@/lib/messages/target";

/** Methods that messages do not support become POST. */
export function sendableMethod(method: string) {
  return methods.find((known) => known === method) ?? "POST";
}

/**
 * All recorded headers that the sender's request can be repeated with, its signatures included.
 * Credentials were meant for the endpoint, and the connection's headers for its connection.
 */
export function sendersHeaders(recorded: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(recorded).filter(
      ([name, value]) =>
        !isCredential(name) &&
        !value.includes(REDACTED) &&
        name !== FORWARDED_HEADER &&
        isOfSender(name, value),
    ),
  );
}

/** The recorded headers that a message may have, in order, as many as fit. */
export function sendableHeaders(recorded: Record<string, string>): Record<string, string> {
  let headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(recorded)) {
    if (isCredential(name) || value.includes(REDACTED)) continue;
    const more = Object.fromEntries([...Object.entries(headers), [name, value]]);
    if (targetHeaders.safeParse(more).success) headers = more;
  }
  return headers;
}

import { isCredential, REDACTED } from "@/lib/http/recorded-headers";
import { methods } from "@/lib/messages/contract";
import { targetHeaders } from "@/lib/messages/target";

/** Methods that messages do not support become POST. */
export function sendableMethod(method: string) {
  return methods.find((known) => known === method) ?? "POST";
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

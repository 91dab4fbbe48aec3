import { isSameSecret } from "@/lib/platform/secrets";
import { signatureOf } from "@/lib/platform/signed-id";
import { clientAddress } from "./address";
import { SENT_FOR_HEADER } from "./relayed";
import type { HttpRequest } from "./request";

/** Longer than an attempt takes, on clocks that differ. */
const VALID_SECONDS = 300;

/** The header's value: the sender, the time in Unix seconds, and the signature of both. */
export function sentFor(sender: string): string {
  const signed = `${sender} ${Math.floor(Date.now() / 1000)}`;
  return `${signed} ${signatureOf("sent-for", signed)}`;
}

/** What a request counts for: the client's address or, with a valid header, who sent the message. */
export function countedAddress(
  request: Pick<HttpRequest, "clientAddress"> & { headers: { get(name: string): string | null } },
): string | null {
  const [sender = "", time, signature = ""] =
    request.headers.get(SENT_FOR_HEADER)?.split(" ") ?? [];
  const isRecent = Math.abs(Date.now() / 1000 - Number(time)) < VALID_SECONDS;
  return isRecent && isSameSecret(signature, signatureOf("sent-for", `${sender} ${time}`))
    ? sender
    : clientAddress(request);
}

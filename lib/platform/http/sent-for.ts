import { isSameSecret } from "@/lib/platform/secrets";
import { signatureOf } from "@/lib/platform/signed-id";
import { clientAddress } from "./address";
import { SENT_FOR_HEADER } from "./relayed";
import type { HttpRequest } from "./request";

/** Longer than an attempt takes, on clocks that differ. */
const VALID_SECONDS = 300;

/** The header's value: the network, the time in Unix seconds, and the signature of both. */
export function sentFor(network: string): string {
  const signed = `${network} ${Math.floor(Date.now() / 1000)}`;
  return `${signed} ${signatureOf("sent-for", signed)}`;
}

/** The address or network that a request counts for: of the client or, with a valid header, of the stranger. */
export function countedAddress(
  request: Pick<HttpRequest, "clientAddress"> & { headers: { get(name: string): string | null } },
): string | null {
  const [network = "", time, signature = ""] =
    request.headers.get(SENT_FOR_HEADER)?.split(" ") ?? [];
  const isRecent = Math.abs(Date.now() / 1000 - Number(time)) < VALID_SECONDS;
  return isRecent && isSameSecret(signature, signatureOf("sent-for", `${network} ${time}`))
    ? network
    : clientAddress(request);
}

/** The request is not a delivery of the organization, or not a recent one. Respond with 400. */
export class SignatureError extends Error {
  override readonly name = "SignatureError";
}

/** A request as received by a server. */
export interface ReceivedRequest {
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The exact bytes. Text is taken as UTF-8; parsed and serialized JSON will not verify. */
  body: string | Uint8Array<ArrayBuffer> | ArrayBuffer;
}

export interface VerifyOptions {
  /** How old or how far ahead a delivery may be; 300 by default. */
  toleranceSeconds?: number;
}

export interface Verified {
  /** Identical on every attempt: skip IDs that you have handled. */
  id: string;
  /** Unix seconds of the attempt. */
  timestamp: number;
}

const HEADER_LENGTH_MAX = 4096;
const SIGNATURES_MAX = 10;

/**
 * Verifies the signature of a delivery with the public keys of its organization, `whpk_…`. Throws
 * `SignatureError`. It cannot detect a repeat: remember the `id` for as long as the tolerance.
 */
export async function verifySignature(
  request: ReceivedRequest,
  publicKeys: readonly string[],
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<Verified> {
  const id = headerOf(request, "webhook-id");
  const sent = headerOf(request, "webhook-timestamp");
  const signatures = signaturesIn(headerOf(request, "webhook-signature"));
  // With a dot in the ID, part of a signed body could pass as the end of the ID and another time.
  if (!/^[\w-]+$/.test(id)) throw new SignatureError("webhook-id is not an ID of this service.");
  if (!/^\d{1,12}$/.test(sent)) throw new SignatureError("webhook-timestamp is not Unix seconds.");
  const timestamp = Number(sent);
  if (!(Math.abs(Date.now() / 1000 - timestamp) <= toleranceSeconds)) {
    throw new SignatureError("The delivery is too old, or the clocks differ.");
  }
  const content = await signedContent(`${id}.${sent}.`, request.body);
  const keys = await Promise.all(publicKeys.map(importKey));
  const checks = keys.flatMap((key) =>
    signatures.map((signature) => crypto.subtle.verify("Ed25519", key, signature, content)),
  );
  if ((await Promise.all(checks)).includes(true)) return { id, timestamp };
  throw new SignatureError("No signature matches the body and a key of the organization.");
}

function headerOf({ headers }: ReceivedRequest, name: string): string {
  const values =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers)
          .filter(([key]) => key.toLowerCase() === name)
          .flatMap(([, value]) => value ?? [])
          .join(" ");
  if (!values) throw new SignatureError(`The request has no ${name}.`);
  if (values.length > HEADER_LENGTH_MAX) throw new SignatureError(`${name} is too long.`);
  return values;
}

/** The Ed25519 signatures. A header may also hold others. */
function signaturesIn(header: string): Uint8Array<ArrayBuffer>[] {
  const found = header.split(" ").flatMap((one) => {
    const signature = /^v1a,([A-Za-z0-9+/]{86}==)$/.exec(one)?.[1];
    return signature ? [bytesOf(signature)] : [];
  });
  if (found.length > 0 && found.length <= SIGNATURES_MAX) return found;
  throw new SignatureError(`webhook-signature must have 1 to ${SIGNATURES_MAX} v1a signatures.`);
}

async function signedContent(start: string, body: ReceivedRequest["body"]) {
  if (typeof body === "object" && !(body instanceof ArrayBuffer) && !ArrayBuffer.isView(body)) {
    throw new TypeError("body must be the bytes that arrived, not what was parsed from them.");
  }
  return new Uint8Array(await new Blob([start, body]).arrayBuffer());
}

function importKey(publicKey: string): Promise<CryptoKey> {
  const base64 = /^whpk_([A-Za-z0-9+/]{43}=)$/.exec(publicKey)?.[1];
  if (!base64) throw new TypeError("A public key must be whpk_ and 32 bytes in base64.");
  return crypto.subtle.importKey("raw", bytesOf(base64), "Ed25519", false, ["verify"]);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** The fields that a captured webhook event and an inbox event share. */
interface Recorded {
  body: string | null;
  body_encoding: "utf8" | "base64" | null;
  body_truncated?: boolean;
}

/**
 * The bytes of an event's body, exactly as they arrived. Throws if the service kept only the first
 * part, unless `allowTruncated`.
 */
export function rawBody(
  event: Recorded,
  { allowTruncated = false }: { allowTruncated?: boolean } = {},
): Uint8Array<ArrayBuffer> {
  if (event.body_truncated && !allowTruncated) {
    throw new RangeError("Only the first part of this body was kept: it is too large.");
  }
  const body = event.body ?? "";
  if (event.body_encoding !== "base64") return new TextEncoder().encode(body);
  return Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
}

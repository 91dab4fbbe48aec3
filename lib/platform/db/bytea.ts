/** Bytes in the text form of a `bytea`, for a row that is sent as JSON. */
export function byteaOf(bytes: Buffer): string {
  return `\\x${bytes.toString("hex")}`;
}

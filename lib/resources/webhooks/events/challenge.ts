const TYPE = "url_verification";
/** Well above what Slack sends. */
const BODY_BYTES_MAX = 4096;

/**
 * The challenge that Slack sends to check a new URL, and that the response must repeat. Undefined for
 * any other body, which may be of any length.
 */
export function challengeOf(body: readonly Uint8Array[]): string | undefined {
  if (body.reduce((sum, { length }) => sum + length, 0) > BODY_BYTES_MAX) return undefined;
  const bytes = Buffer.concat(body);
  if (!bytes.includes(TYPE)) return undefined;
  try {
    const { type, challenge } = JSON.parse(bytes.toString());
    return type === TYPE && typeof challenge === "string" ? challenge : undefined;
  } catch {
    return undefined;
  }
}

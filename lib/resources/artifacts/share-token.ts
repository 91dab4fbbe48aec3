import { createHmac, timingSafeEqual } from "node:crypto";
import { config } from "@/lib/platform/config/config";

const SIGNATURE_LENGTH = 32; // hex digits: 128 bits

/** The URL of a share link. Its token is the share's ID, signed with the server secret. */
export function shareUrl(shareId: string): string {
  return `${config().baseUrl}/a/${shareId.slice("shr_".length)}${signatureOf(shareId)}`;
}

/** The share ID in a token; undefined if its signature is invalid. Needs no database. */
export function shareIdOf(token: string): string | undefined {
  if (!/^[0-9A-Za-z]{33,100}$/.test(token)) return undefined;
  const id = `shr_${token.slice(0, -SIGNATURE_LENGTH)}`;
  const given = Buffer.from(token.slice(-SIGNATURE_LENGTH));
  return timingSafeEqual(given, Buffer.from(signatureOf(id))) ? id : undefined;
}

function signatureOf(shareId: string): string {
  return createHmac("sha256", config().serverSecret)
    .update(`artifact-share:${shareId}`)
    .digest("hex")
    .slice(0, SIGNATURE_LENGTH);
}

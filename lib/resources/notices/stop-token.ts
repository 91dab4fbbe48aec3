import { createHmac, timingSafeEqual } from "node:crypto";
import { config } from "@/lib/platform/config/config";

const SIGNATURE_LENGTH = 32; // hex digits: 128 bits

/** The token that stops the notices of a setting: its ID, signed with the server secret. */
export function stopTokenOf(settingId: string): string {
  return settingId.slice("ntc_".length) + signatureOf(settingId);
}

/** The setting's ID in a token; undefined if its signature is invalid. Needs no database. */
export function settingIdOf(token: string): string | undefined {
  if (!/^[0-9A-Za-z]{33,100}$/.test(token)) return undefined;
  const id = `ntc_${token.slice(0, -SIGNATURE_LENGTH)}`;
  const given = Buffer.from(token.slice(-SIGNATURE_LENGTH));
  return timingSafeEqual(given, Buffer.from(signatureOf(id))) ? id : undefined;
}

function signatureOf(settingId: string): string {
  return createHmac("sha256", config().serverSecret)
    .update(`stop-notices:${settingId}`)
    .digest("hex")
    .slice(0, SIGNATURE_LENGTH);
}

import { createHmac } from "node:crypto";
import { config } from "./config/config";
import { isSameSecret } from "./secrets";

const SIGNATURE_LENGTH = 32; // hex digits: 128 bits

/** A token that lets its holder use this ID for one purpose: the ID, signed with the server secret. */
export function signedId(purpose: string, id: string): string {
  return id.slice(id.indexOf("_") + 1) + signatureOf(purpose, id);
}

/** The ID in a token; undefined if its signature is invalid. Needs no database. */
export function idIn(purpose: string, prefix: string, token: string): string | undefined {
  if (!/^[0-9A-Za-z]{33,100}$/.test(token)) return undefined;
  const id = `${prefix}_${token.slice(0, -SIGNATURE_LENGTH)}`;
  return isSameSecret(token.slice(-SIGNATURE_LENGTH), signatureOf(purpose, id)) ? id : undefined;
}

/** The signature alone, for URLs that have the ID elsewhere. */
export function signatureOf(purpose: string, id: string): string {
  return createHmac("sha256", config().serverSecret)
    .update(`${purpose}:${id}`)
    .digest("hex")
    .slice(0, SIGNATURE_LENGTH);
}

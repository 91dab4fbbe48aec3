import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { config } from "@/lib/platform/config/config";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts an endpoint's secret with a key derived from the server secret and the endpoint's ID, so
 * that the table alone reveals nothing and a row is worthless under another ID.
 */
export function sealSecret(endpointId: string, secret: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", sealingKey(endpointId), nonce);
  return Buffer.concat([nonce, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

/** The secret; undefined if it was sealed under another server secret. */
export function unsealSecret(endpointId: string, sealed: Uint8Array): string | undefined {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", sealingKey(endpointId), nonce);
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

function sealingKey(endpointId: string): Uint8Array {
  const { serverSecret } = config();
  return new Uint8Array(hkdfSync("sha256", serverSecret, endpointId, "webhook-verification", 32));
}

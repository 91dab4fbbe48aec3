import { config } from "@/lib/platform/config/config";
import { decrypt, derivedKey, encrypt } from "@/lib/platform/encryption";

/**
 * Encrypts an endpoint's secret with a key derived from the server secret and the endpoint's ID, so
 * that the table alone reveals nothing and a row is worthless under another ID.
 */
export function sealSecret(endpointId: string, secret: string): Uint8Array<ArrayBuffer> {
  return encrypt(sealingKey(endpointId), secret);
}

/** The secret; undefined if it was sealed under another server secret. */
export function unsealSecret(endpointId: string, sealed: Uint8Array): string | undefined {
  try {
    return decrypt(sealingKey(endpointId), sealed);
  } catch {
    return undefined;
  }
}

function sealingKey(endpointId: string): Uint8Array {
  return derivedKey(config().serverSecret, "webhook-verification", endpointId);
}

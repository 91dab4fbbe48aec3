import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from "node:crypto";
import { random } from "nanoid";
import { config } from "./config/config";
import { remembered } from "./memoize";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a text with a key derived from the server secret and its owner, such as an endpoint's ID, so
 * that the table alone reveals nothing and a row is worthless under another owner.
 */
export function seal(owner: string, text: string): Uint8Array<ArrayBuffer> {
  return encrypt(sealingKey(owner), text);
}

/** The text; undefined if it was sealed for another owner or under another server secret. */
export function unseal(owner: string, sealed: Uint8Array): string | undefined {
  try {
    return decrypt(sealingKey(owner), sealed);
  } catch {
    return undefined;
  }
}

/** The purpose is that of what was sealed first. It cannot change: stored data depends on it. */
function sealingKey(owner: string): Uint8Array {
  return derivedKey(config().serverSecret, "webhook-verification", owner);
}

/** A key of 32 bytes derived from a secret (HKDF-SHA-256): one for each purpose and, where one is given, each ID. */
export function derivedKey(secret: string, purpose: string, id = ""): Uint8Array {
  // With the secret as text, Node 20 takes half as long again.
  const key = remembered(secrets, secret, () => createSecretKey(secret, "utf8"));
  return new Uint8Array(hkdfSync("sha256", key, id, purpose, 32));
}

const secrets = new Map<string, KeyObject>();

/** Encrypts a text with AES-256-GCM. */
export function encrypt(key: Uint8Array, text: string): Buffer<ArrayBuffer> {
  const nonce = random(NONCE_BYTES); // from a pool
  // With the key as bytes, Node 24 would take twice as long.
  const cipher = createCipheriv("aes-256-gcm", createSecretKey(key), nonce);
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

/** Throws if it was encrypted with another key. */
export function decrypt(key: Uint8Array, encrypted: Uint8Array): string {
  const nonce = encrypted.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", createSecretKey(key), nonce);
  decipher.setAuthTag(encrypted.subarray(-TAG_BYTES));
  const text = decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString("utf8");
}

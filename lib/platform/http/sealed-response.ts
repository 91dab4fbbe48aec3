import { config } from "@/lib/platform/config/config";
import { decrypt, derivedKey, encrypt } from "@/lib/platform/encryption";
import { HttpResponse } from "./response";

/** The inputs of the encryption key, besides the server secret. */
export interface SealingInput {
  id: string;
  /** The caller's idempotency key. */
  key: string;
}

/**
 * Encrypts a stored response, which may contain a claim token, with a key derived from the server
 * secret and the caller's idempotency key. The table alone reveals nothing. `times` are the members
 * of the JSON body to store relative to the record's creation.
 */
export function sealResponse(
  { status, headers, body }: HttpResponse,
  input: SealingInput,
  times?: readonly string[],
): Buffer {
  return encrypt(sealingKey(input), JSON.stringify({ status, headers, body, times }));
}

/** Decrypts a sealed response. `createdAt` is the record's time in Unix seconds. */
export function unsealResponse(
  sealed: Buffer,
  input: SealingInput,
  createdAt: number,
): HttpResponse {
  const { status, headers, body, times } = JSON.parse(decrypt(sealingKey(input), sealed));
  return new HttpResponse(status, headers, times ? withTimes(body, times, createdAt) : body);
}

function sealingKey({ id, key }: SealingInput): Uint8Array {
  return derivedKey(config().serverSecret, `idempotency:${key}`, id);
}

/** Turns members stored relative to `createdAt` back into Unix seconds. */
function withTimes(body: string, times: readonly string[], createdAt: number): string {
  const members = JSON.parse(body);
  for (const name of times) members[name] += createdAt;
  return JSON.stringify(members);
}

import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  hash,
  type KeyObject,
  sign,
} from "node:crypto";
import { config } from "@/lib/platform/config/config";
import { derivedKey } from "@/lib/platform/encryption";
import { oncePerProcess } from "@/lib/platform/process";
import { setBounded } from "@/lib/platform/set-bounded";

/** Cached, since making a key takes as long as signing with it. */
const KEYS_KEPT = 1000;

/**
 * The `webhook-signature` of an attempt, over the ID, the time in Unix seconds and the body.
 * Standard Webhooks: `v1` is HMAC-SHA256 with each of the owner's secrets, and `v1a` is Ed25519
 * with the owner's key. Without an owner the server's key signs, which proves nothing about the
 * sender.
 */
export function signaturesOf(
  id: string,
  timestamp: number,
  body: Uint8Array | null,
  { organizationId, secrets }: { organizationId: string | null; secrets: readonly Uint8Array[] },
): string {
  const content = contentOf(id, timestamp, body);
  return [
    ...hmacsOf(id, timestamp, body, secrets),
    `v1a,${sign(null, content, signingKey(organizationId)).toString("base64")}`,
  ].join(" ");
}

/** The `v1` signatures alone, one with each secret. */
export function hmacsOf(
  id: string,
  timestamp: number,
  body: Uint8Array | null,
  secrets: readonly Uint8Array[],
): string[] {
  const content = contentOf(id, timestamp, body);
  return secrets.map(
    (secret) => `v1,${createHmac("sha256", secret).update(content).digest("base64")}`,
  );
}

function contentOf(id: string, timestamp: number, body: Uint8Array | null): Buffer {
  return Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body ?? Buffer.alloc(0)]);
}

/** The public key of an organization or, for null, of messages without an owner. */
export function publicKeyOf(organizationId: string | null) {
  const { x } = createPublicKey(signingKey(organizationId)).export({ format: "jwk" });
  const raw = Buffer.from(String(x), "base64url");
  return {
    kty: "OKP" as const,
    crv: "Ed25519" as const,
    alg: "EdDSA" as const,
    use: "sig" as const,
    kid: hash("sha256", raw, "base64url").slice(0, 16),
    x: String(x),
    public_key: `whpk_${raw.toString("base64")}`,
    organization_id: organizationId,
  };
}

const kept = oncePerProcess("messages.signing-keys", () => new Map<string, KeyObject>());

/**
 * Derived from the server secret and the organization's ID, so that all instances share a key without
 * storing one, and no organization can sign for another.
 */
function signingKey(organizationId: string | null): KeyObject {
  const salt = organizationId ?? "";
  const known = kept.get(salt);
  if (known) return known;
  const seed = derivedKey(config().serverSecret, "webhook-signing-key", salt);
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_ED25519, seed]),
    format: "der",
    type: "pkcs8",
  });
  setBounded(kept, salt, key, KEYS_KEPT);
  return key;
}

// The PKCS #8 prefix of a 32-byte Ed25519 seed (RFC 8410 §7).
const PKCS8_ED25519 = Buffer.from("302e020100300506032b657004220420", "hex");

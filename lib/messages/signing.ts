import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  sign,
} from "node:crypto";
import { config } from "@/lib/config/config";
import { oncePerProcess } from "@/lib/process";

/**
 * The `webhook-signature` of an attempt, over the ID, the time in Unix seconds and the body. Standard
 * Webhooks: `v1`, HMAC-SHA256 with each of the owner's `secrets`, and `v1a`, Ed25519 with our key.
 */
export function signaturesOf(
  id: string,
  timestamp: number,
  body: Uint8Array | null,
  secrets: readonly Uint8Array[],
): string {
  const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body ?? Buffer.alloc(0)]);
  const hmacs = secrets.map((secret) => createHmac("sha256", secret).update(content));
  return [
    ...hmacs.map((hmac) => `v1,${hmac.digest("base64")}`),
    `v1a,${sign(null, content, signingKey()).toString("base64")}`,
  ].join(" ");
}

/** The public keys as a JWK set (RFC 8037); `public_key` is in the Standard Webhooks format. */
export function publicKeys() {
  const { x } = createPublicKey(signingKey()).export({ format: "jwk" });
  const raw = Buffer.from(String(x), "base64url");
  return {
    keys: [
      {
        kty: "OKP" as const,
        crv: "Ed25519" as const,
        alg: "EdDSA" as const,
        use: "sig" as const,
        kid: createHash("sha256").update(raw).digest("base64url").slice(0, 16),
        x: String(x),
        public_key: `whpk_${raw.toString("base64")}`,
      },
    ],
  };
}

/** Derived from the server secret, so that all instances share a key without storing one. */
function signingKey() {
  return oncePerProcess("messages.signing-key", () => {
    const seed = hkdfSync("sha256", config().serverSecret, "", "webhook-signing-key", 32);
    return createPrivateKey({
      key: Buffer.concat([PKCS8_ED25519, Buffer.from(seed)]),
      format: "der",
      type: "pkcs8",
    });
  });
}

// The PKCS #8 prefix of a 32-byte Ed25519 seed (RFC 8410 §7).
const PKCS8_ED25519 = Buffer.from("302e020100300506032b657004220420", "hex");

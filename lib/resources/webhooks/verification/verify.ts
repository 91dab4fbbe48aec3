import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import type { Encoding } from "./contract";
import type { Scheme } from "./schemes";

/** Unix seconds in a header, up to the year 33658. */
const UNIX_SECONDS = /^\d{1,12}$/;
const HMAC_BYTES = 32;

export interface Verifier {
  scheme: Scheme;
  toleranceSeconds: number;
  /** `until` is the last Unix second in which the secret is valid. */
  secrets: { secret: string | undefined; until: number | null }[];
}

/** A request, exactly as sent. */
export interface SentRequest {
  header(name: string): string | null;
  body: Uint8Array[];
  isTruncated: boolean;
}

type VerificationFailure =
  | "signature_missing"
  | "signature_malformed"
  | "signature_mismatch"
  | "timestamp_missing"
  | "timestamp_malformed"
  | "timestamp_out_of_tolerance"
  | "body_truncated"
  | "secret_unreadable";

/**
 * Whether a request is signed with one of the secrets. A valid signature holds from `from` to
 * `until`, in Unix seconds, and fails for the `late` reason at any other time: the database
 * compares them with its clock.
 */
export type VerificationResult =
  | { verified: false; reason: VerificationFailure }
  | {
      verified: true;
      reason: "signature_valid";
      from: number | null;
      until: number | null;
      late: VerificationFailure;
    };

export function verify(verifier: Verifier, request: SentRequest): VerificationResult {
  const { scheme, toleranceSeconds } = verifier;
  const value = request.header(scheme.header);
  if (value === null) return failed("signature_missing");
  const signed = scheme.read(value, request.header);
  const signatures = signed.signatures.flatMap((text) => decoded(text, scheme.encoding) ?? []);
  if (signatures.length === 0) return failed("signature_malformed");
  if (signed.time === null) return failed("timestamp_missing");
  if (signed.time !== undefined && !UNIX_SECONDS.test(signed.time)) {
    return failed("timestamp_malformed");
  }
  if (request.isTruncated) return failed("body_truncated");
  const keys = verifier.secrets.map(({ secret, until }) => ({
    key: secret === undefined ? undefined : scheme.keyOf(secret),
    until,
  }));
  if (keys.every(({ key }) => key === undefined)) return failed("secret_unreadable");
  const match = keys.find(({ key }) => {
    if (key === undefined) return false;
    const expected = hmacOf(key, signed.prefix, request.body);
    // All secrets are compared, so that the time does not reveal which one matches.
    return signatures.filter((signature) => timingSafeEqual(signature, expected)).length > 0;
  });
  if (!match) return failed("signature_mismatch");
  if (signed.time === undefined) {
    return valid({ from: null, until: match.until, late: "signature_mismatch" });
  }
  const time = Number(signed.time);
  const [from, end] = [time - toleranceSeconds, time + toleranceSeconds];
  return match.until !== null && match.until < end
    ? valid({ from, until: match.until, late: "signature_mismatch" })
    : valid({ from, until: end, late: "timestamp_out_of_tolerance" });
}

function failed(reason: VerificationFailure): VerificationResult {
  return { verified: false, reason };
}

function valid(bounds: {
  from: number | null;
  until: number | null;
  late: VerificationFailure;
}): VerificationResult {
  return { verified: true, reason: "signature_valid", ...bounds };
}

function hmacOf(key: Buffer, prefix: string, body: Uint8Array[]): Buffer {
  // With the key as bytes, Node 24 would take four times as long.
  const hmac = createHmac("sha256", createSecretKey(key)).update(prefix);
  for (const chunk of body) hmac.update(chunk);
  return hmac.digest();
}

/** The bytes of a signature; undefined unless it encodes 32 bytes. */
function decoded(text: string, encoding: Encoding): Buffer | undefined {
  const form = encoding === "hex" ? HEX : BASE64;
  if (!form.test(text)) return undefined;
  const bytes = Buffer.from(text, encoding);
  return bytes.length === HMAC_BYTES ? bytes : undefined;
}

const HEX = /^[0-9a-fA-F]{64}$/;
/** Standard or URL-safe, with or without padding. */
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

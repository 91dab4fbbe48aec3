import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
} from "jose";
import { config } from "@/lib/platform/config/config";
import { type Provider, SIGNATURE_ALGORITHMS } from "@/lib/platform/config/trust-list";
import { ApiError, type ErrorCode } from "@/lib/platform/errors";
import { invalidRequest, TOKEN_LENGTH_MAX } from "./body";
import { keysOf, keysUnavailable } from "./provider-keys";

export const CLOCK_TOLERANCE_SECONDS = 60;
export const ID_LENGTH_MAX = 255;

/**
 * Verifies a token of a trusted provider: form, type, issuer, signature, audience and the claims in
 * `options`, in this order. Throws the contract's code for the first failure.
 */
export async function verifyProviderToken(
  token: string,
  typ: string,
  options: JWTVerifyOptions,
): Promise<{ provider: Provider; payload: JWTPayload }> {
  const { header, unverified } = decode(token);
  if (typeof header.typ !== "string" || mediaType(header.typ) !== typ) {
    throw tokenError("invalid_signature", `The token's typ must be ${typ}.`);
  }
  const provider = config().agentAuth.providers.find(({ iss }) => iss === unverified.iss);
  if (!provider) throw tokenError("invalid_issuer", "The token's issuer is not trusted here.");
  try {
    const { payload } = await jwtVerify(token, keysOf(provider), {
      issuer: provider.iss,
      typ,
      audience: audiences(),
      algorithms: provider.algs ?? SIGNATURE_ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      ...options,
    });
    return { provider, payload };
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // Any other error is about the keys, for instance one that is too short.
    throw error instanceof errors.JOSEError
      ? asTokenError(error)
      : keysUnavailable(provider, error);
  }
}

/** The audiences that this service accepts. */
function audiences(): string[] {
  return config().ownOrigins.flatMap((origin) => [origin, `${origin}/`]);
}

/** A claim as a string of 1 to 255 characters that Postgres can store. Throws 400. */
export function storableClaim(payload: JWTPayload, name: string): string {
  const value = storable(payload[name]);
  if (value !== undefined) return value;
  throw invalidRequest(`The token's ${name} must be a string of 1 to ${ID_LENGTH_MAX} characters.`);
}

/** The value if it is a string that can be stored unchanged, else undefined. */
export function storable(value: unknown, lengthMax = ID_LENGTH_MAX): string | undefined {
  const fits =
    typeof value === "string" &&
    value.length > 0 &&
    value.length <= lengthMax &&
    !value.includes("\0") &&
    value.isWellFormed();
  return fits ? value : undefined;
}

export function tokenError(
  code: ErrorCode,
  message: string,
  challenge?: Record<string, string>,
): ApiError {
  return new ApiError(code, message, challenge && { challenge });
}

function decode(token: string) {
  try {
    if (token.length > TOKEN_LENGTH_MAX || token.split(".").length !== 3) throw new TypeError();
    return { header: decodeProtectedHeader(token), unverified: decodeJwt(token) };
  } catch {
    throw tokenError("invalid_signature", "The token is not a compact JWS.");
  }
}

function mediaType(typ: string): string {
  return typ.toLowerCase().replace(/^application\//, "");
}

/** Maps by class and claim, never by message text. */
function asTokenError(error: errors.JOSEError): ApiError {
  if (error instanceof errors.JWTExpired) return tokenError("expired", "The token has expired.");
  if (error instanceof errors.JWTClaimValidationFailed) return claimError(error);
  return tokenError("invalid_signature", "The token's signature cannot be verified.");
}

function claimError({ claim, reason }: errors.JWTClaimValidationFailed): ApiError {
  if (claim === "aud") return tokenError("invalid_audience", "The token is not for this service.");
  if (claim === "iss")
    return tokenError("invalid_issuer", "The token's issuer is not trusted here.");
  if (claim === "typ") return tokenError("invalid_signature", "The token has the wrong type.");
  if (reason === "check_failed") {
    return tokenError("expired", `The token's ${claim} is in the future.`);
  }
  return invalidRequest(`The token's ${claim} is missing or has the wrong type.`);
}

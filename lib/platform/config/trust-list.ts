import * as z from "zod";

export const SIGNATURE_ALGORITHMS = ["ES256", "ES384", "RS256", "PS256", "Ed25519", "EdDSA"];

const httpUrl = z.url({ protocol: /^https?$/ }).refine((url) => {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || LOOPBACK.test(hostname);
}, "must be https, unless its host is loopback");

const LOOPBACK = /^(localhost|\[::1\]|127(\.\d+){3})$/;

const Provider = z.strictObject({
  iss: httpUrl.describe("Compared with the token's `iss` character by character"),
  name: z.string().optional(),
  jwks_uri: httpUrl.optional().describe("Default: `{iss}/.well-known/jwks.json`"),
  jwks: z
    .object({ keys: z.array(z.record(z.string(), z.unknown())).min(1) })
    .optional()
    .describe("The keys, instead of fetching them"),
  client_id: z.string().min(1).optional().describe("The only accepted `client_id`"),
  algs: z.array(z.enum(SIGNATURE_ALGORITHMS)).min(1).optional(),
  link_verified_email: z
    .boolean()
    .default(false)
    .describe("Whether its verified email addresses give access to existing accounts"),
  max_auth_age: z.int().min(1).optional().describe("Seconds since the user signed in there"),
  amr: z
    .array(z.string().min(1))
    .optional()
    .describe("Authentication methods the user must have used there"),
});

/** A trusted identity provider. */
export type Provider = z.output<typeof Provider>;

/** Parses the variable's JSON. An invalid one stops the service from starting. */
export function parseProviders(json: string, context: z.RefinementCtx): Provider[] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    context.addIssue("is not JSON");
    return z.NEVER;
  }
  const result = z.array(Provider).safeParse(value);
  if (!result.success) {
    const issue = result.error.issues[0];
    context.addIssue(`${issue?.path.join(".")}: ${issue?.message ?? "is not valid"}`);
    return z.NEVER;
  }
  if (new Set(result.data.map(({ iss }) => iss)).size < result.data.length) {
    context.addIssue("names an iss twice");
    return z.NEVER;
  }
  return result.data;
}

/** The URL of a provider's keys. */
export function jwksUriOf({ iss, jwks_uri }: Provider): string {
  return jwks_uri ?? `${iss.replace(/\/$/, "")}/.well-known/jwks.json`;
}

/** Whether the keys are fetched without TLS. Local mode only. */
export function fetchesKeysWithoutTls(provider: Provider): boolean {
  return provider.jwks === undefined && jwksUriOf(provider).startsWith("http:");
}

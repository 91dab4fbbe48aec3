import * as z from "zod";
import { isLoopback } from "@/lib/platform/addresses";
import { issueMessage } from "@/lib/platform/http/issue-message";
import { fieldAt } from "@/lib/platform/http/schema-fields";

export const SIGNATURE_ALGORITHMS = ["ES256", "ES384", "RS256", "PS256", "Ed25519", "EdDSA"];

const httpUrl = z.string().refine((url) => {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}, "must be an https URL, or an http URL of a loopback host");

/** Made only where providers are configured: a start without them is faster. */
const provider = () =>
  z.strictObject({
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

const setting = () => z.object({ providers: z.array(provider()) });

/** A trusted identity provider. */
export type Provider = z.output<ReturnType<typeof provider>>;

/** Parses the variable's JSON. An invalid one stops the service from starting. */
export function parseProviders(json: string, context: z.RefinementCtx): Provider[] {
  let providers: unknown;
  try {
    providers = JSON.parse(json);
  } catch {
    context.addIssue("is not JSON");
    return z.NEVER;
  }
  const result = setting().safeParse({ providers });
  if (!result.success) {
    context.addIssue(problemOf(result.error.issues[0]));
    return z.NEVER;
  }
  const { providers: parsed } = result.data;
  if (new Set(parsed.map(({ iss }) => iss)).size < parsed.length) {
    context.addIssue("names an iss twice");
    return z.NEVER;
  }
  return parsed;
}

function problemOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return "is not valid";
  const [, ...place] = issue.path;
  if (issue.code === "unrecognized_keys") {
    const allowed = Object.keys(provider().shape).join(", ");
    return `${[...place, issue.keys[0]].join(".")} is not a known property; allowed: ${allowed}`;
  }
  const message = issueMessage(issue, fieldAt(setting(), issue.path), undefined);
  return `${place.join(".")} ${message}`.trim();
}

/** The URL of a provider's keys. */
export function jwksUriOf({ iss, jwks_uri }: Provider): string {
  return jwks_uri ?? `${iss.replace(/\/$/, "")}/.well-known/jwks.json`;
}

/** Whether the keys are fetched without TLS. Local mode only. */
export function fetchesKeysWithoutTls(provider: Provider): boolean {
  return provider.jwks === undefined && jwksUriOf(provider).startsWith("http:");
}

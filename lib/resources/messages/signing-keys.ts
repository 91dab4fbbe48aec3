import * as z from "zod";
import { prisma } from "@/lib/platform/db/prisma";
import { notFound } from "@/lib/platform/errors";
import { text } from "@/lib/platform/http/fields";
import { operation } from "@/lib/platform/http/operation";
import { publicDocument } from "@/lib/platform/http/public-document";
import { HttpResponse } from "@/lib/platform/http/response";
import { publicKeyOf } from "./signing";

const OF_ORGANIZATION =
  "The keys of this organization's v1a signatures. A delivery that they verify was sent by it.";
const OF_ANYBODY =
  "The keys of messages without an owner, which anybody can send: they prove that a request passed through this server, and nothing else. For an organization's keys add ?organization=org_….";

const SigningKeys = z
  .object({
    description: z.string().describe("What a signature of these keys proves."),
    keys: z
      .array(
        z.object({
          kty: z.literal("OKP").describe("The type of the key (RFC 7517)."),
          crv: z.literal("Ed25519").describe("The curve of the key."),
          alg: z.literal("EdDSA").describe("The algorithm of the signatures."),
          use: z.literal("sig").describe("What the key is for: signatures."),
          kid: z.string().describe("The ID of the key, its thumbprint."),
          x: z.string().describe("The public key, in base64url."),
          public_key: z.string().describe("The key in the Standard Webhooks format, `whpk_…`."),
          organization_id: z
            .string()
            .nullable()
            .describe("Whose messages it signs; null for those without an owner."),
        }),
      )
      .describe("The keys, as a JSON Web Key Set."),
  })
  .meta({
    id: "SigningKeys",
    examples: [
      {
        description: OF_ORGANIZATION,
        keys: [
          {
            kty: "OKP",
            crv: "Ed25519",
            alg: "EdDSA",
            use: "sig",
            kid: "kPrK_qmxVWaYVA9w",
            x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
            public_key: "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
            organization_id: "org_034gLHnnT5MH2Sbz6VPrmYvR1q",
          },
        ],
      },
    ],
  });

/** Public, since verifying a delivery needs no key of this service. */
export const getSigningKeys = operation("GET /.well-known/webhook-signing-keys.json", {
  ...publicDocument,
  id: "getSigningKeys",
  summary: "Public keys for verifying `webhook-signature`",
  // Not empty: an unset variable must not lead to the key of public messages.
  query: z.object({
    organization: text({ min: 1 })
      .optional()
      .describe("Whose messages to verify. Default: those without an owner."),
  }),
  failures: [404],
  success: { status: 200, schema: SigningKeys },
  async handle({ query: { organization = null } }) {
    if (organization !== null) await assertOrganization(organization);
    const document: z.infer<typeof SigningKeys> = {
      description: organization === null ? OF_ANYBODY : OF_ORGANIZATION,
      keys: [publicKeyOf(organization)],
    };
    return new HttpResponse(
      200,
      { "Content-Type": "application/json", "Cache-Control": "public, max-age=300" },
      JSON.stringify(document),
    );
  },
});

async function assertOrganization(id: string) {
  const found = await prisma.organization.findUnique({ where: { id }, select: { id: true } });
  if (!found) throw notFound("organization", id);
}

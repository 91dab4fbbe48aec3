import * as z from "zod";
import { provingToken, survivesClaim, text } from "@/lib/platform/http/fields";

const SECRET_CHARACTERS_MAX = 500;
export const TOLERANCE_SECONDS_DEFAULT = 300;
const TOLERANCE_SECONDS_MAX = 86_400;

export const schemes = [
  "github",
  "stripe",
  "slack",
  "shopify",
  "standard_webhooks",
  "hmac",
] as const;
export type SchemeName = (typeof schemes)[number];

const encodings = ["hex", "base64"] as const;
export type Encoding = (typeof encodings)[number];

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;

export const WebhookVerificationPut = z
  .strictObject({
    scheme: z.enum(schemes).describe("How the sender signs"),
    secret: text({ min: 1, max: SECRET_CHARACTERS_MAX }).describe("As the sender shows it"),
    header: z
      .string()
      .regex(HEADER_NAME, "must be the name of a header")
      .optional()
      .describe("`hmac` only, required: the header with the signature"),
    encoding: z.enum(encodings).optional().describe("`hmac` only; default `hex`"),
    tolerance_seconds: z
      .int()
      .min(1)
      .max(TOLERANCE_SECONDS_MAX)
      .optional()
      .describe(
        `How far the signed time may be from now; default ${TOLERANCE_SECONDS_DEFAULT}. Not for \`github\`, \`shopify\` and \`hmac\`, which sign no time`,
      ),
    claim_token: provingToken,
  })
  .meta({
    id: "WebhookVerificationPut",
    examples: [{ scheme: "github", secret: "It's a Secret to Everybody" }],
  });
export type WebhookVerificationPut = z.infer<typeof WebhookVerificationPut>;

export const WebhookVerification = z
  .object({
    object: z.literal("webhook_verification"),
    endpoint_id: z.string(),
    organization_id: z.string().nullable(),
    scheme: z.enum(schemes),
    header: z.string().describe("The header with the signature"),
    encoding: z.enum(encodings),
    tolerance_seconds: z.int().nullable().describe("null: the scheme signs no time"),
    previous_secret_expires_at: z
      .int()
      .nullable()
      .describe("Unix seconds; until then the previous secret is valid too"),
    survives_claim: survivesClaim,
    created_at: z.int(),
    updated_at: z.int(),
  })
  .meta({
    id: "WebhookVerification",
    examples: [
      {
        object: "webhook_verification",
        endpoint_id: "wh_034gLHnnT5MH2Sbz6VPrmYvR1q",
        organization_id: null,
        scheme: "github",
        header: "x-hub-signature-256",
        encoding: "hex",
        tolerance_seconds: null,
        previous_secret_expires_at: null,
        survives_claim: true,
        created_at: 1_767_225_600,
        updated_at: 1_767_225_600,
      },
    ],
  });
export type WebhookVerification = z.infer<typeof WebhookVerification>;

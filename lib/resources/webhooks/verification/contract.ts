import * as z from "zod";
import {
  createdAt,
  objectType,
  organizationId,
  provingToken,
  reference,
  survivesClaim,
  text,
  timeOrNull,
  updatedAt,
} from "@/lib/platform/http/fields";

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

const SCHEME =
  "How the sender signs. `hmac` is HMAC-SHA256 of the body in a header of your choice.";
const ENCODING = "How the signature is written.";

export const WebhookVerificationPut = z
  .strictObject({
    scheme: z.enum(schemes).describe(SCHEME),
    secret: text({ min: 1, max: SECRET_CHARACTERS_MAX }).describe(
      "The signing secret as the sender shows it. It is never returned.",
    ),
    header: z
      .string()
      .regex(HEADER_NAME, "must be the name of a header")
      .optional()
      .describe("The header with the signature. For `hmac` only, and required there."),
    encoding: z
      .enum(encodings)
      .optional()
      .describe(`${ENCODING} For \`hmac\` only. Default: \`hex\`.`),
    tolerance_seconds: z
      .int()
      .min(1)
      .max(TOLERANCE_SECONDS_MAX)
      .optional()
      .describe(
        `How far the signed time may be from now, in seconds. Not for \`github\`, \`shopify\` and \`hmac\`, which sign no time. Default: ${TOLERANCE_SECONDS_DEFAULT}.`,
      ),
    claim_token: provingToken,
  })
  .meta({ id: "WebhookVerificationPut", examples: [{ secret: "It's a Secret to Everybody" }] });
export type WebhookVerificationPut = z.infer<typeof WebhookVerificationPut>;

export const WebhookVerification = z
  .object({
    object: objectType("webhook_verification"),
    endpoint_id: reference("wh", "The endpoint whose events it verifies."),
    organization_id: organizationId,
    scheme: z.enum(schemes).describe(SCHEME),
    header: z.string().describe("The header with the signature, in lower case."),
    encoding: z.enum(encodings).describe(ENCODING),
    tolerance_seconds: z
      .int()
      .nullable()
      .describe("How far the signed time may be from now; null if the scheme signs none."),
    previous_secret_expires_at: timeOrNull(
      "When the previous secret expires, in Unix seconds; null without one.",
    ),
    survives_claim: survivesClaim,
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({
    id: "WebhookVerification",
    examples: [{ header: "x-hub-signature-256", survives_claim: true }],
  });
export type WebhookVerification = z.infer<typeof WebhookVerification>;

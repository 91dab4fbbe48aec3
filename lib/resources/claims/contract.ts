import * as z from "zod";
import { survivesClaim } from "@/lib/platform/http/fields";
import { type KindName, kinds } from "@/lib/resources/kinds";

/** The maximum number of resources that a claim lists. It claims all of them. */
export const CLAIMED_LISTED_MAX = 1000;

export const Claim = z
  .strictObject({
    claim_token: z.string().min(1).describe("The one-time token from the create response"),
  })
  .meta({ id: "Claim", examples: [{ claim_token: "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9" }] });
export type Claim = z.infer<typeof Claim>;

export const ClaimAll = z
  .strictObject({
    claim_token: z.string().min(1).describe("From a create response; others may share it"),
    dry_run: z.boolean().optional().describe("Only lists what the token claims"),
  })
  .meta({ id: "ClaimAll", examples: [{ claim_token: "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9" }] });
export type ClaimAll = z.infer<typeof ClaimAll>;

const names: KindName[] = kinds.map(({ name }) => name);

export const ClaimSet = z
  .object({
    object: z.literal("claim_set"),
    dry_run: z.boolean(),
    organization_id: z.string().nullable().describe("The owner; null for a dry run"),
    data: z
      .array(
        z.object({
          id: z.string(),
          kind: z.enum(names).describe("Read it at `/api/{kind}/{id}`"),
          name: z.string().describe("Of a message, its method and URL"),
          created_at: z.int(),
          made_by: z.string().nullable().describe("The schedule or endpoint that made it"),
          changed_since_created: z.boolean().describe("Without the claim token"),
          stops: z.boolean().describe("A claim therefore pauses or holds it"),
        }),
      )
      .describe("Oldest first; then what they made"),
    has_more: z.boolean().describe(`Only ${CLAIMED_LISTED_MAX} are listed`),
    settings: z
      .array(
        z.object({
          resource_id: z.string(),
          setting: z.enum(["forward", "verification", "share", "target"]),
          value: z
            .string()
            .describe("Where it sends: an origin, an inbox or `task`; the scheme; the share link"),
          survives_claim: survivesClaim,
        }),
      )
      .describe("What sends, or lets others in"),
  })
  .meta({
    id: "ClaimSet",
    examples: [
      {
        object: "claim_set",
        dry_run: false,
        organization_id: "org_034gLHnnT5MH2Sbz6VPrmYvR1q",
        data: [
          {
            id: "wh_034gLHnnT5MH2Sbz6VPrmYvR1q",
            kind: "webhooks",
            name: "Pushes",
            created_at: 1_767_225_600,
            made_by: null,
            changed_since_created: false,
            stops: false,
          },
        ],
        has_more: false,
        settings: [
          {
            resource_id: "wh_034gLHnnT5MH2Sbz6VPrmYvR1q",
            setting: "forward",
            value: "https://example.com",
            survives_claim: true,
          },
        ],
      },
    ],
  });
export type ClaimSet = z.infer<typeof ClaimSet>;

/** What a claim takes, and the settings on it. */
export type Claimed = Pick<ClaimSet, "data" | "has_more" | "settings">;

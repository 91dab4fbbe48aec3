import * as z from "zod";
import { createdAt, objectType, survivesClaim } from "@/lib/platform/http/fields";
import { kinds } from "@/lib/resources/kinds";

/**
 * The maximum number of resources, and of settings, that a claim lists. The claim itself takes and
 * ends all of them.
 */
export const CLAIMED_LISTED_MAX = 1000;

export const Claim = z
  .strictObject({
    claim_token: z
      .string()
      .min(1)
      .describe("The `claim_token` of the create response. It claims each resource once."),
  })
  .meta({ id: "Claim", examples: [{ claim_token: "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9" }] });

export const ClaimAll = z
  .strictObject({
    claim_token: z
      .string()
      .min(1)
      .describe("The `claim_token` of a create response. Everything with this token is claimed."),
    dry_run: z
      .boolean()
      .optional()
      .describe("Whether only to list what the token claims. Default: false."),
  })
  .meta({ id: "ClaimAll", examples: [{ claim_token: "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9" }] });

const ClaimSetItem = z
  .object({
    id: z.string().describe("The ID of the resource."),
    kind: z
      .enum(kinds.map(({ name }) => name))
      .describe("The kind of resource. Read it at `/api/{kind}/{id}`."),
    name: z.string().describe("Its name; of a message, the method and URL."),
    created_at: createdAt,
    made_by: z
      .string()
      .nullable()
      .describe("The schedule, endpoint or question that made it, if any."),
    changed_since_created: z.boolean().describe("Whether it was changed without the claim token."),
    stops: z.boolean().describe("Whether a claim therefore pauses it, or holds it or its reply."),
  })
  .meta({ id: "ClaimSetItem" });

const ClaimSetSetting = z
  .object({
    resource_id: z.string().describe("The resource that has it."),
    setting: z
      .enum(["forward", "verification", "share", "target"])
      .describe("The kind of setting."),
    value: z
      .string()
      .describe("Where it sends: an origin, an inbox or `task`. Else the scheme or share link."),
    survives_claim: survivesClaim,
  })
  .meta({ id: "ClaimSetSetting" });
export type ClaimSetSetting = z.infer<typeof ClaimSetSetting>;

export const ClaimSet = z
  .object({
    object: objectType("claim_set"),
    dry_run: z.boolean().describe("Whether nothing was claimed."),
    organization_id: z
      .string()
      .nullable()
      .describe("The organization that owns it now; null for a dry run."),
    data: z
      .array(ClaimSetItem)
      .describe("What the token claims, oldest first, then what that has made."),
    has_more: z
      .boolean()
      .describe(`Whether \`data\` or \`settings\` has more than ${CLAIMED_LISTED_MAX}.`),
    settings: z.array(ClaimSetSetting).describe("Settings that send something, or let others in."),
  })
  .meta({
    id: "ClaimSet",
    examples: [
      {
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

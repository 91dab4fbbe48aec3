import * as z from "zod";
import { type ResourceName, resourceKinds } from "@/lib/resources/kinds";

export const Claim = z
  .strictObject({
    claim_token: z.string().min(1).describe("The one-time token from the create response"),
  })
  .meta({ examples: [{ claim_token: "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9" }] });
export type Claim = z.infer<typeof Claim>;

export const ClaimAll = z
  .strictObject({
    claim_token: z.string().min(1).describe("From a create response; others may share it"),
    dry_run: z.boolean().optional().describe("Only lists what the token claims"),
  })
  .meta({ examples: [{ claim_token: "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9" }] });
export type ClaimAll = z.infer<typeof ClaimAll>;

const names: ResourceName[] = resourceKinds.map(({ name }) => name);

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
        }),
      )
      .describe("Oldest first"),
  })
  .meta({
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
          },
          {
            id: "inbox_034gLHnnT5MH2Sbz6VPrmYvR1q",
            kind: "inboxes",
            name: "Orders",
            created_at: 1_767_225_600,
          },
        ],
      },
    ],
  });
export type ClaimSet = z.infer<typeof ClaimSet>;

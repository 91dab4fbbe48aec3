import * as z from "zod";
import { scopes } from "@/lib/platform/caller";
import { objectType, timeOrNull } from "@/lib/platform/http/fields";

/** How long a rotated key keeps working, so that a lost response can be requested again. */
export const OVERLAP_SECONDS_DEFAULT = 300;
export const OVERLAP_SECONDS_MAX = 86_400;
/** Rotations of a key and its successors or, for an agent, of all its keys. */
export const ROTATION_LIMIT = { limit: 1000, windowSeconds: 86_400 };

const Allowance = z
  .object({
    counts: z.string().describe("What is counted."),
    limit: z.int().describe("How many are allowed in a window."),
    window_seconds: z.int().describe("The length of a window, in seconds."),
    remaining: z.int().describe("How many are left in this window."),
    resets_in_seconds: z.int().describe("How many seconds remain of this window."),
  })
  .meta({ id: "Allowance" });

export const Me = z
  .object({
    object: objectType("me"),
    kind: z
      .enum(["anonymous", "api_key", "access_token"])
      .describe("The credential that was sent; `anonymous` without one."),
    key_id: z.string().nullable().describe("The ID of the key; null without one."),
    key_name: z.string().nullable().describe("The name of the key or its client, or null."),
    organization_id: z.string().nullable().describe("The organization of the key, or null."),
    organization_name: z.string().nullable().describe("The organization's name, or null."),
    registration_id: z
      .string()
      .nullable()
      .describe("The agent registration that the key was issued for, or null."),
    scopes: z.array(z.enum(scopes)).describe("What the key may do. Empty without one."),
    created_at: timeOrNull("When the key was created, in Unix seconds; null without one."),
    expires_at: timeOrNull("When the key expires, in Unix seconds; null if never."),
    claim_ends_at: timeOrNull("When the registration can no longer be claimed, in Unix seconds."),
    rate_limits: z.array(Allowance).describe("What is left of your limits. Empty without limits."),
    hint: z.string().describe("What the key may do, and how to get more, in words."),
  })
  .meta({
    id: "Me",
    examples: [{ scopes: [], rate_limits: [], hint: "Without a key, what you create is public." }],
  });
export type Me = z.infer<typeof Me>;

export const Rotate = z
  .strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(OVERLAP_SECONDS_MAX)
      .optional()
      .describe(
        `How many seconds the old key keeps working. With 0, a lost response cannot be repeated. Default: ${OVERLAP_SECONDS_DEFAULT}.`,
      ),
  })
  .meta({ id: "KeyRotate", examples: [{ overlap_seconds: 300 }] });

export const RotatedKey = z
  .object({
    object: objectType("rotated_key"),
    id: z.string().describe("The ID of the new key."),
    key: z.string().describe("The new key. Shown once."),
    kind: z.enum(["api_key", "access_token"]).describe("What the key is, as before."),
    scopes: z.array(z.enum(scopes)).describe("What the key may do, as before."),
    expires_at: Me.shape.expires_at,
    old_key_expires_at: z.int().describe("When the old key stops working, in Unix seconds."),
  })
  .meta({
    id: "RotatedKey",
    examples: [
      {
        id: "key_034gLHnnT5MH2Sbz6VPrmYvR1q",
        key: "svc_live_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9",
        old_key_expires_at: 1_767_225_900,
      },
    ],
  });
export type RotatedKey = z.infer<typeof RotatedKey>;

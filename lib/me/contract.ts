import { z } from "zod";
import { scopes } from "@/lib/accounts/caller";

/** How long a rotated key goes on working, so that an answer that was lost can be asked for again. */
export const OVERLAP_SECONDS_DEFAULT = 300;
export const OVERLAP_SECONDS_MAX = 86_400;

const Allowance = z.object({
  counts: z.string().describe("What is counted"),
  limit: z.int(),
  window_seconds: z.int(),
  remaining: z.int(),
  resets_in_seconds: z.int(),
});

export const Me = z.object({
  object: z.literal("me"),
  kind: z.enum(["anonymous", "api_key", "access_token"]),
  key_id: z.string().nullable(),
  key_name: z.string().nullable(),
  organization_id: z.string().nullable(),
  organization_name: z.string().nullable(),
  registration_id: z.string().nullable().describe("The agent registration that gave the key"),
  scopes: z.array(z.enum(scopes)).describe("What the key may do; empty without a key"),
  created_at: z.int().nullable().describe("Unix seconds"),
  expires_at: z.int().nullable().describe("Unix seconds; null: never"),
  claim_ends_at: z
    .int()
    .nullable()
    .describe("Unix seconds. Claim the registration before then to give the key api.write."),
  rate_limits: z.array(Allowance).describe("Empty where nothing is limited"),
  hint: z.string().describe("What this credential is good for, and how to get more"),
});
export type Me = z.infer<typeof Me>;

export const Rotate = z.strictObject({
  overlap_seconds: z
    .int()
    .min(0)
    .max(OVERLAP_SECONDS_MAX)
    .optional()
    .describe(
      `How long the old key goes on working; ${OVERLAP_SECONDS_DEFAULT} when left out. 0 ends it at once: then a lost answer cannot be asked for again.`,
    ),
});

export const RotatedKey = z.object({
  object: z.literal("rotated_key"),
  id: z.string(),
  key: z.string().describe("Shown once"),
  kind: z.enum(["api_key", "access_token"]),
  scopes: z.array(z.enum(scopes)),
  expires_at: z.int().nullable().describe("Unix seconds; null: never"),
  old_key_expires_at: z.int().describe("Unix seconds; until then the old key works, too"),
});

import * as z from "zod";
import { scopes } from "@/lib/platform/caller";

/** How long a rotated key keeps working, so that a lost response can be requested again. */
export const OVERLAP_SECONDS_DEFAULT = 300;
export const OVERLAP_SECONDS_MAX = 86_400;

const Allowance = z.object({
  counts: z.string().describe("What is counted"),
  limit: z.int(),
  window_seconds: z.int(),
  remaining: z.int(),
  resets_in_seconds: z.int(),
});

export const Me = z
  .object({
    object: z.literal("me"),
    kind: z.enum(["anonymous", "api_key", "access_token"]),
    key_id: z.string().nullable(),
    key_name: z.string().nullable(),
    organization_id: z.string().nullable(),
    organization_name: z.string().nullable(),
    registration_id: z.string().nullable().describe("The agent registration it was issued for"),
    scopes: z.array(z.enum(scopes)).describe("Empty without a key"),
    created_at: z.int().nullable(),
    expires_at: z.int().nullable().describe("Unix seconds; null: never"),
    claim_ends_at: z
      .int()
      .nullable()
      .describe("Claim the registration before then to get api.write"),
    rate_limits: z.array(Allowance).describe("Empty when unlimited"),
    hint: z.string(),
  })
  .meta({
    id: "Me",
    examples: [
      {
        object: "me",
        kind: "anonymous",
        key_id: null,
        key_name: null,
        organization_id: null,
        organization_name: null,
        registration_id: null,
        scopes: [],
        created_at: null,
        expires_at: null,
        claim_ends_at: null,
        rate_limits: [],
        hint: "Without a key, what you create is public.",
      },
    ],
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
        `How long the old key keeps working; default ${OVERLAP_SECONDS_DEFAULT}. With 0, a lost response cannot be requested again`,
      ),
  })
  .meta({ id: "KeyRotate", examples: [{ overlap_seconds: 300 }] });

export const RotatedKey = z
  .object({
    object: z.literal("rotated_key"),
    id: z.string(),
    key: z.string().describe("Shown once"),
    kind: z.enum(["api_key", "access_token"]),
    scopes: z.array(z.enum(scopes)),
    expires_at: z.int().nullable().describe("Unix seconds; null: never"),
    old_key_expires_at: z.int().describe("Unix seconds; until then both keys work"),
  })
  .meta({
    id: "RotatedKey",
    examples: [
      {
        object: "rotated_key",
        id: "key_034gLHnnT5MH2Sbz6VPrmYvR1q",
        key: "svc_live_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9",
        kind: "api_key",
        scopes: ["api.read"],
        expires_at: null,
        old_key_expires_at: 1_767_225_900,
      },
    ],
  });

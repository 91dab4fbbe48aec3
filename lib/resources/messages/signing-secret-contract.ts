import * as z from "zod";

/** How long a rotated secret keeps signing beside the new one. */
export const SECRET_OVERLAP_SECONDS = 86_400;

export const SigningSecret = z
  .object({
    object: z.literal("signing_secret"),
    secret: z.string().describe("`whsec_` and 32 bytes in base64: the key of the `v1` signatures"),
    rotated_at: z.int().nullable().describe("Unix seconds"),
    old_secret_expires_at: z
      .int()
      .nullable()
      .describe("Unix seconds; until then the secret before this one signs too"),
  })
  .meta({
    id: "SigningSecret",
    examples: [
      {
        object: "signing_secret",
        secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwcDpR7xVnq0E=",
        rotated_at: null,
        old_secret_expires_at: null,
      },
    ],
  });
export type SigningSecret = z.infer<typeof SigningSecret>;

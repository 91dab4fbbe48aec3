import * as z from "zod";
import { objectType, timeOrNull } from "@/lib/platform/http/fields";

/** How long a rotated secret keeps signing beside the new one. */
export const SECRET_OVERLAP_SECONDS = 86_400;

export const SigningSecret = z
  .object({
    object: objectType("signing_secret"),
    secret: z.string().describe("The key of `v1` signatures: `whsec_` and 32 bytes in base64."),
    rotated_at: timeOrNull(
      "When it was made by a rotation, in Unix seconds; null before the first.",
    ),
    old_secret_expires_at: timeOrNull(
      "Until when the previous secret signs too, in Unix seconds; null without one.",
    ),
  })
  .meta({
    id: "SigningSecret",
    examples: [{ secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwcDpR7xVnq0E=" }],
  });
export type SigningSecret = z.infer<typeof SigningSecret>;

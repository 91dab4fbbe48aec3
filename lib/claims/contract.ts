import { z } from "zod";

export const Claim = z.strictObject({
  claim_token: z.string().min(1).describe("The one-time token from the create response"),
});
export type Claim = z.infer<typeof Claim>;

import { z } from "zod";

export const Claim = z
  .strictObject({
    claim_token: z.string().min(1).describe("The one-time token from the create response"),
  })
  .meta({ examples: [{ claim_token: "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9" }] });
export type Claim = z.infer<typeof Claim>;

import { z } from "zod";
import { text } from "@/lib/http/fields";

export const Claim = z.strictObject({
  claim_token: text({ min: 1 }).describe("The one-time token from the create response"),
});
export type Claim = z.infer<typeof Claim>;

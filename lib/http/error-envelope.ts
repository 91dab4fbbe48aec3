import { z } from "zod";
import { errorTypes } from "./errors";

/** What every answer from 400 on holds. */
export const ErrorEnvelope = z.object({
  error: z.object({
    type: z.enum(errorTypes),
    code: z.string().describe("Stable: branch on it."),
    message: z.string().describe("Its wording may change."),
    param: z.string().nullable().describe("What is at fault, such as `labels.3`"),
    request_id: z.string().describe("Also in the header `Request-Id`."),
  }),
});

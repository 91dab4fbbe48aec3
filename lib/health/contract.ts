import { z } from "zod";

export const Health = z.object({
  status: z.enum(["ok", "degraded"]),
  reason: z
    .string()
    .optional()
    .describe("Present when degraded: what does not work, and for how long"),
  version: z.string(),
  database: z.literal("ok"),
  last_dispatch_at: z.int().nullable().describe("Unix seconds; null before the first dispatch"),
  oldest_due_seconds: z
    .int()
    .nullable()
    .describe("How long the oldest message that waits for dispatch has been due; null: none waits"),
});
export type Health = z.infer<typeof Health>;

import * as z from "zod";

export const Health = z
  .object({
    status: z.enum(["ok", "degraded"]),
    reason: z.string().optional().describe("Why, when degraded"),
    version: z.string(),
    database: z.literal("ok"),
    last_dispatch_at: z.int().nullable().describe("Unix seconds; null before the first dispatch"),
    oldest_due_seconds: z
      .int()
      .nullable()
      .describe("How long the oldest waiting message has been due"),
  })
  .meta({
    id: "Health",
    examples: [
      {
        status: "ok",
        version: "0.1.0",
        database: "ok",
        last_dispatch_at: 1_767_225_600,
        oldest_due_seconds: null,
      },
    ],
  });
export type Health = z.infer<typeof Health>;

export const Liveness = z.object({ status: z.literal("ok") }).meta({ id: "Liveness" });
export type Liveness = z.infer<typeof Liveness>;

export const Readiness = z.object({ status: z.literal("ready") }).meta({ id: "Readiness" });
export type Readiness = z.infer<typeof Readiness>;

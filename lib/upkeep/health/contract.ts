import * as z from "zod";

export const Health = z
  .object({
    status: z
      .enum(["ok", "degraded"])
      .describe("`degraded` if it answers, but not everything works."),
    reason: z.string().optional().describe("Why it is degraded."),
    version: z.string().describe("The version of the service."),
    database: z.literal("ok").describe("Always `ok`: without a database the response is 503."),
    last_dispatch_at: z
      .int()
      .nullable()
      .describe("When due messages were last sent, in Unix seconds; null before."),
    oldest_due_seconds: z
      .int()
      .nullable()
      .describe("How long the oldest waiting message has been due, in seconds; null without one."),
  })
  .meta({ id: "Health", examples: [{ version: "0.1.0", last_dispatch_at: 1_767_225_600 }] });
export type Health = z.infer<typeof Health>;

export const Liveness = z
  .object({ status: z.literal("ok").describe("Always `ok`.") })
  .meta({ id: "Liveness" });
export type Liveness = z.infer<typeof Liveness>;

export const Readiness = z
  .object({ status: z.literal("ready").describe("Always `ready`: otherwise the response is 503.") })
  .meta({ id: "Readiness" });
export type Readiness = z.infer<typeof Readiness>;

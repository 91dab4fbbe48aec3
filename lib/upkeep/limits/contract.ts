import * as z from "zod";

const group = z.record(z.string(), z.unknown());

/** Figures by name; the names include the unit. */
export const Limits = z
  .object({
    object: z.literal("limits"),
    fields: z.record(z.string(), z.record(z.string(), group)).describe("By body and property"),
    lists: group,
    sizes: group,
    rates: group.describe("Each {limit, window_seconds}, where `enforced`"),
    networks: group,
    waits: group,
    connections: group,
    searches: group,
    deliveries: group,
    inboxes: group,
    credentials: group,
    retention: group,
  })
  .meta({
    id: "Limits",
    examples: [
      {
        object: "limits",
        fields: { task: { name: { max: 200 } } },
        lists: {},
        sizes: {},
        rates: {},
        networks: {},
        waits: {},
        connections: {},
        searches: {},
        deliveries: {},
        inboxes: {},
        credentials: {},
        retention: {},
      },
    ],
  });

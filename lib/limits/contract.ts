import { z } from "zod";

const group = z.record(z.string(), z.unknown());

/** Figures by name; the names carry the unit. */
export const Limits = z
  .object({
    object: z.literal("limits"),
    fields: z.record(z.string(), z.record(z.string(), group)).describe("By body and property"),
    lists: group,
    sizes: group.describe("Of bodies, in bytes"),
    rates: group.describe("Each {limit, window_seconds}, where `enforced`"),
    waits: group.describe("How long a request may wait"),
    connections: group.describe("Of a server that `npm start` runs"),
    deliveries: group.describe("Of scheduled messages"),
    inboxes: group,
    credentials: group.describe("Lifetimes of keys and tokens"),
    retention: group.describe("How long things are kept"),
  })
  .meta({
    examples: [
      {
        object: "limits",
        fields: { task: { name: { max: 200 } } },
        lists: {},
        sizes: {},
        rates: {},
        waits: {},
        connections: {},
        deliveries: {},
        inboxes: {},
        credentials: {},
        retention: {},
      },
    ],
  });

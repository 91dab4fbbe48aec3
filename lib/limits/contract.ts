import { z } from "zod";

const group = z.record(z.string(), z.unknown());

/** Figures by name; the names carry the unit. */
export const Limits = z.object({
  object: z.literal("limits"),
  fields: z
    .record(z.string(), z.record(z.string(), group))
    .describe("By body and property: length in characters, range of numbers, number of items"),
  lists: group,
  sizes: group.describe("Of requests, stored bodies and answers"),
  rates: group.describe(
    "Each {limit, window_seconds}. `enforced` false: this server limits no requests.",
  ),
  waits: group.describe("How long a request may wait for something to happen"),
  connections: group.describe("Of a server that `npm start` runs"),
  deliveries: group.describe("Of scheduled messages: attempts, delays, time limits"),
  inboxes: group,
  credentials: group.describe("Lifetimes of keys and tokens; codes that are mailed"),
  retention: group.describe("What is kept, and for how long"),
});

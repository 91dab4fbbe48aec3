import * as z from "zod";
import { objectType } from "@/lib/platform/http/fields";

const group = z.record(z.string(), z.unknown());

/** Figures by name; the names include the unit. */
export const Limits = z
  .object({
    object: objectType("limits"),
    fields: z
      .record(z.string(), z.record(z.string(), group))
      .describe("The bounds of each body's properties."),
    lists: group.describe("The lengths of pages."),
    sizes: group.describe("How much is accepted and stored."),
    rates: group.describe("Allowed rates, each {limit, window_seconds}, if `enforced`."),
    networks: group.describe("Which addresses count as one."),
    waits: group.describe("How long calls may wait."),
    connections: group.describe("How many connections may be open."),
    searches: group.describe("How many searches may run and wait."),
    deliveries: group.describe("How messages are sent and retried."),
    inboxes: group.describe("Defaults of inboxes and their events."),
    credentials: group.describe("How long credentials and codes last."),
    retention: group.describe("How long and how much is kept."),
  })
  .meta({ id: "Limits", examples: [{ fields: { task: { name: { max: 200 } } } }] });

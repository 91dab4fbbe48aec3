import type { KindDescription } from "@/lib/resources/kind";

export const inboxKind = {
  name: "inboxes",
  title: "Inboxes",
  noun: "inbox",
  description: "Durable work queues, each behind one public URL.",
  icon: "M2 9l2-6h8l2 6v4.2H2zM2 9h3.4l1 2h3.2l1-2H14",
  prefix: "inbox",
  model: "Inbox",
  table: "inboxes",
  madeFor: [],
  parts: [
    {
      model: "InboxEvent",
      table: "inbox_events",
      parent: "inbox_id",
      key: "id",
      prefix: "iev",
      large: true,
    },
    {
      model: "InboxReply",
      table: "inbox_replies",
      parent: "inbox_id",
      key: "event_id",
      large: true,
    },
  ],
  state: { model: "InboxState", table: "inbox_state", parent: "inbox_id", count: "occupied" },
  volatile: ["event_count"],
  addressed: ["ingest_url"],
  onSingleReads: ["event_count"],
  first: {
    title: "Queue events",
    text: "A durable queue: each event is leased to one worker until it is acknowledged.",
    button: "Create this inbox",
    body: { name: "Jobs" },
  },
} as const satisfies KindDescription;

import type { KindDescription } from "@/lib/resources/kind";

export const messageKind = {
  name: "messages",
  title: "Messages",
  noun: "message",
  description: "HTTP requests that are sent later, signed and with retries.",
  icon: "M14 2L7.2 8.8M14 2l-4.4 12-2.4-5.2L2 6.4z",
  prefix: "msg",
  model: "ScheduledMessage",
  table: "scheduled_messages",
  madeFor: ["webhook_endpoint_id", "schedule_id", "question_id"],
  parts: [
    {
      model: "MessageAttempt",
      table: "message_attempts",
      parent: "message_id",
      key: "id",
      prefix: "att",
    },
  ],
  volatile: ["overdue"],
  onCreates: ["warnings"],
  longText: "body",
  first: {
    title: "Send later",
    text: "An HTTP request at a set time, retried when it fails.",
    button: "Schedule this message",
    body: { url: "https://example.com/", delay_seconds: 3600 },
  },
} as const satisfies KindDescription;

import type { Quickstart } from "@/lib/overview/first-jobs";

/** Title, description and button label of the five first jobs. */
export const FIRST_JOB_TEXTS: Record<
  Quickstart["name"],
  { title: string; text: string; button: string }
> = {
  tasks: {
    title: "Remember tasks",
    text: "Names with a priority, a due date and labels.",
    button: "Create this task",
  },
  webhooks: {
    title: "Capture requests",
    text: "A URL that keeps whatever is sent to it, bytes and all.",
    button: "Create this endpoint",
  },
  artifacts: {
    title: "Publish documents",
    text: "Markdown or HTML, rendered, shared by a link that can be revoked.",
    button: "Publish this document",
  },
  messages: {
    title: "Send later",
    text: "An HTTP request at a set time, retried when it fails.",
    button: "Schedule this message",
  },
  inboxes: {
    title: "Queue events",
    text: "A durable queue: each event is leased to one worker until it is acknowledged.",
    button: "Create this inbox",
  },
};

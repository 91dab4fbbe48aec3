import type { FirstJob } from "@/lib/overview/first-jobs";

/** The five jobs in words: what is done, and what the button says that does the first of it. */
export const JOB_WORDS: Record<FirstJob["name"], { title: string; text: string; button: string }> =
  {
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
      text: "An HTTP request at a time, tried again until it is taken.",
      button: "Schedule this message",
    },
    inboxes: {
      title: "Queue events",
      text: "An inbox that workers empty, one event at a time, and none twice.",
      button: "Create this inbox",
    },
  };

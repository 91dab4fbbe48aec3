import type { IdPrefix } from "@/lib/platform/db/ids";

interface Described {
  /** Also its path: `/api/<name>` in the API, `/<name>` in the dashboard. */
  name: string;
  /** The name of its pages. */
  title: string;
  noun: string;
  /** The description of these resources in the documents of the API. */
  description: string;
  /** The prefix of its IDs, without the underscore. */
  prefix: IdPrefix;
  /** Its table. */
  table: string;
  /**
   * The columns that name another resource for which the service made this one, such as the endpoint
   * of a forwarded message. A claim of the other resource claims this one too.
   */
  madeFor: readonly string[];
  /** The prefixes of what belongs to a resource of this kind and has an ID. */
  parts: readonly string[];
  /** The first call for this kind; `body`, posted to its API path, works unchanged. */
  first: { title: string; text: string; button: string; body: Record<string, unknown> };
}

const described = [
  {
    name: "tasks",
    title: "Tasks",
    noun: "task",
    description: "Units of work with a priority, a due date and labels.",
    prefix: "tsk",
    table: "tasks",
    madeFor: ["schedule_id"],
    parts: ["note"],
    first: {
      title: "Track tasks",
      text: "Names with a priority, a due date and labels.",
      button: "Create this task",
      body: { name: "Say hello", labels: ["demo"] },
    },
  },
  {
    name: "webhooks",
    title: "Webhooks",
    noun: "webhook endpoint",
    description: "Capture URLs and the requests they received.",
    prefix: "wh",
    table: "webhook_endpoints",
    madeFor: [],
    parts: ["wev"],
    first: {
      title: "Capture requests",
      text: "A URL that stores every request sent to it, byte for byte.",
      button: "Create this endpoint",
      body: { name: "Payments" },
    },
  },
  {
    name: "artifacts",
    title: "Artifacts",
    noun: "artifact",
    description: "Markdown or HTML documents, and share links to them.",
    prefix: "art",
    table: "artifacts",
    madeFor: [],
    parts: ["shr", "ver"],
    first: {
      title: "Publish documents",
      text: "Markdown or HTML, rendered, and shared by a link that can be revoked.",
      button: "Publish this document",
      body: { name: "Report", content: "# Hello" },
    },
  },
  {
    name: "messages",
    title: "Messages",
    noun: "message",
    description: "HTTP requests that are sent later, signed and with retries.",
    prefix: "msg",
    table: "scheduled_messages",
    madeFor: ["webhook_endpoint_id", "schedule_id"],
    parts: ["att"],
    first: {
      title: "Send later",
      text: "An HTTP request at a set time, retried when it fails.",
      button: "Schedule this message",
      body: { url: "https://example.com/", delay_seconds: 3600 },
    },
  },
  {
    name: "inboxes",
    title: "Inboxes",
    noun: "inbox",
    description: "Durable work queues, each behind one public URL.",
    prefix: "inbox",
    table: "inboxes",
    madeFor: [],
    parts: ["iev"],
    first: {
      title: "Queue events",
      text: "A durable queue: each event is leased to one worker until it is acknowledged.",
      button: "Create this inbox",
      body: { name: "Jobs" },
    },
  },
  {
    name: "schedules",
    title: "Schedules",
    noun: "schedule",
    description: "Messages, inbox events and tasks that are created again and again.",
    prefix: "sch",
    table: "schedules",
    madeFor: [],
    parts: ["run"],
    first: {
      title: "Repeat",
      text: "A task, a message or an event, at the times of a cron expression.",
      button: "Create this schedule",
      body: {
        name: "Daily report",
        cron: "0 9 * * *",
        target: { task: { name: "Write the daily report" } },
      },
    },
  },
] as const satisfies readonly Described[];

export type ResourceName = (typeof described)[number]["name"];
export type ResourceKind = Described & { name: ResourceName };

/** Every kind of resource, in the order of the navigation. Imported by browser code, too. */
export const resourceKinds: readonly ResourceKind[] = described;

export function resourceKind(name: ResourceName): ResourceKind {
  const kind = resourceKinds.find((one) => one.name === name);
  if (!kind) throw new Error(`There is no kind of resource named ${name}.`);
  return kind;
}

/** The kind of a resource, by its ID. */
export function resourceKindOf(id: string): ResourceKind | undefined {
  return resourceKinds.find(({ prefix }) => id.startsWith(`${prefix}_`));
}

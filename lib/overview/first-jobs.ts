import type { z } from "zod";
import { ArtifactCreate } from "@/lib/artifacts/contract";
import * as artifacts from "@/lib/artifacts/service";
import type { Caller } from "@/lib/caller";
import type { Db } from "@/lib/db/sql";
import { validate } from "@/lib/http/validation";
import { InboxCreate } from "@/lib/inboxes/contract";
import * as inboxes from "@/lib/inboxes/service";
import { MessageCreate } from "@/lib/messages/contract";
import * as messages from "@/lib/messages/service";
import { TaskCreate } from "@/lib/tasks/contract";
import * as tasks from "@/lib/tasks/service";
import { WebhookEndpointCreate } from "@/lib/webhooks/contract";
import * as webhooks from "@/lib/webhooks/service";

type Create<Input> = (caller: Caller, input: Input, db?: Db) => Promise<{ id: string }>;

/** A first call for each kind of resource: POST `body` to `path`. */
export const quickstarts = [
  quickstart("tasks", TaskCreate, tasks.create, { name: "Say hello", labels: ["demo"] }),
  quickstart("webhooks", WebhookEndpointCreate, webhooks.create, { name: "Payments" }),
  quickstart("artifacts", ArtifactCreate, artifacts.create, { name: "Report", content: "# Hello" }),
  quickstart("messages", MessageCreate, messages.create, {
    url: "https://example.com/",
    delay_seconds: 3600,
  }),
  quickstart("inboxes", InboxCreate, inboxes.create, { name: "Jobs" }),
] as const;

export type Quickstart = (typeof quickstarts)[number];

function quickstart<Name extends string, Schema extends z.ZodObject>(
  name: Name,
  schema: Schema,
  create: Create<z.infer<Schema>>,
  body: Record<string, unknown>,
) {
  return {
    name,
    path: `/api/${name}`,
    body,
    /** Creates the same resource for the caller, in the transaction `db`. */
    create: (caller: Caller, db: Db) => create(caller, validate(schema, body), db),
  };
}

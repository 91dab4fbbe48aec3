import { operation } from "@/lib/platform/http/operation";
import { resourceListQuery } from "@/lib/platform/lists/list";
import { standardOperations } from "@/lib/resources/standard-operations";
import { CreatedInbox, Inbox, InboxCreate, InboxStats, InboxUpdate } from "./contract";
import { inboxKind } from "./kind";
import { creation, get, list, load, remove, update } from "./service";
import { stats } from "./stats";

export const inboxOperations = {
  ...standardOperations({
    kind: inboxKind,
    id: "Inbox",
    nouns: ["an inbox", "inboxes"],
    schemas: {
      resource: Inbox,
      created: CreatedInbox,
      query: resourceListQuery(inboxKind.prefix),
      create: InboxCreate,
      update: InboxUpdate,
    },
    service: { list, creation, get, update, remove, prefetch: load },
    create: {
      description:
        "A durable queue: anyone can send events to `ingest_url`, and consumers receive them.",
    },
    update: { description: "A lower `max_events` removes nothing." },
    remove: { summary: "Delete an inbox and its events" },
  }),
  getStats: operation("GET /api/inboxes/{id}/stats", {
    id: "getInboxStats",
    summary: "Get event counts of an inbox",
    success: { status: 200, schema: InboxStats },
    searches: () => true,
    handle: ({ caller, params }) => stats(caller, params.id),
  }),
};

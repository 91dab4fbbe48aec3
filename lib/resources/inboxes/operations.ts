import { operation } from "@/lib/platform/http/operation";
import { listOf } from "@/lib/platform/lists/list";
import { consumerOperations } from "@/lib/resources/inboxes/events/consumer-operations";
import { inboxEventOperations } from "@/lib/resources/inboxes/events/operations";
import { replyOperations } from "@/lib/resources/inboxes/replies/operations";
import { upsertOperation } from "@/lib/resources/upsert-operation";
import {
  CreatedInbox,
  Inbox,
  InboxCreate,
  InboxListQuery,
  InboxStats,
  InboxUpdate,
} from "./contract";
import { inboxKind } from "./kind";
import * as inboxes from "./service";
import { stats } from "./stats";

export const listInboxes = operation({
  id: "listInboxes",
  method: "GET",
  path: "/api/inboxes",
  tag: "Inboxes",
  summary: "List inboxes",
  scope: "api.read",
  query: InboxListQuery,
  success: { status: 200, schema: listOf(Inbox) },
  handle: ({ caller, query }) => inboxes.list(caller, query),
});

export const createInbox = operation({
  id: "createInbox",
  method: "POST",
  path: "/api/inboxes",
  tag: "Inboxes",
  summary: "Create an inbox",
  description:
    "A durable queue: anyone can send events to `ingest_url`, and consumers receive them.",
  scope: "api.write",
  body: InboxCreate,
  success: { status: 201, schema: CreatedInbox },
  handle: ({ caller, body }) => inboxes.creation(caller, body),
});

export const getInbox = operation({
  id: "getInbox",
  method: "GET",
  path: "/api/inboxes/{id}",
  tag: "Inboxes",
  summary: "Get an inbox",
  scope: "api.read",
  success: { status: 200, schema: Inbox },
  conditional: true,
  load: inboxes.load,
  handle: ({ caller, params, loading }) => inboxes.get(caller, params.id, loading),
});

export const updateInbox = operation({
  id: "updateInbox",
  method: "PATCH",
  path: "/api/inboxes/{id}",
  tag: "Inboxes",
  summary: "Update an inbox",
  description: "A lower `max_events` removes nothing.",
  scope: "api.write",
  takesClaimToken: true,
  body: InboxUpdate,
  success: { status: 200, schema: Inbox },
  handle: ({ caller, params, body, precondition }) =>
    inboxes.update(caller, params.id, body, precondition),
});

export const upsertInbox = upsertOperation({
  id: "upsertInbox",
  kind: inboxKind,
  body: InboxCreate,
  schema: Inbox,
  create: inboxes.create,
  update: inboxes.update,
});

export const deleteInbox = operation({
  id: "deleteInbox",
  method: "DELETE",
  path: "/api/inboxes/{id}",
  tag: "Inboxes",
  summary: "Delete an inbox and its events",
  scope: "api.write",
  success: { status: 204 },
  handle: ({ caller, params, precondition }) => inboxes.remove(caller, params.id, precondition),
});

export const getInboxStats = operation({
  id: "getInboxStats",
  method: "GET",
  path: "/api/inboxes/{id}/stats",
  tag: "Inboxes",
  summary: "Get event counts of an inbox",
  scope: "api.read",
  success: { status: 200, schema: InboxStats },
  handle: ({ caller, params }) => stats(caller, params.id),
});

export const inboxOperations = [
  listInboxes,
  createInbox,
  getInbox,
  updateInbox,
  upsertInbox,
  deleteInbox,
  getInboxStats,
  ...inboxEventOperations,
  ...consumerOperations,
  ...replyOperations,
];

import { operation } from "@/lib/platform/http/operation";
import { listOf, listQuery } from "@/lib/platform/lists/list";
import { BulkReplay, BulkReplayCreate, EventReplay } from "./contract";
import { listEventReplays } from "./history";
import * as replays from "./service";

const path = "/api/webhooks/{id}/replays";
export const webhookReplayOperations = {
  listOfEvent: operation("GET /api/webhooks/{id}/events/{eventId}/replays", {
    id: "listWebhookEventReplays",
    summary: "List the replays of an event, with their responses",
    query: listQuery("msg"),
    success: { status: 200, schema: listOf(EventReplay) },
    handle: ({ caller, params, query }) =>
      listEventReplays(caller, params.id, params.eventId, query),
  }),
  create: operation(`POST ${path}`, {
    id: "createWebhookReplay",
    summary: "Replay many events",
    description:
      "Sends the events that match the filter, oldest first, in the background. Only for endpoints of an organization.",
    auth: "required",
    body: BulkReplayCreate,
    success: { status: 202, schema: BulkReplay },
    errors: ["url_not_allowed"],
    handle: ({ caller, params, body, commit }) => replays.create(caller, params.id, body, commit),
  }),
  list: operation(`GET ${path}`, {
    id: "listWebhookReplays",
    summary: "List bulk replays",
    query: listQuery("wrp"),
    success: { status: 200, schema: listOf(BulkReplay) },
    handle: ({ caller, params, query }) => replays.list(caller, params.id, query),
  }),
  get: operation(`GET ${path}/{replayId}`, {
    id: "getWebhookReplay",
    summary: "Get the progress of a bulk replay",
    auth: "required",
    conditional: true,
    success: { status: 200, schema: BulkReplay },
    handle: ({ caller, params }) => replays.get(caller, params.id, params.replayId),
  }),
  cancel: operation(`POST ${path}/{replayId}/cancel`, {
    id: "cancelWebhookReplay",
    summary: "Cancel a bulk replay",
    description: "Requests that have started are finished. Idempotent.",
    auth: "required",
    success: { status: 200, schema: BulkReplay },
    handle: ({ caller, params }) => replays.cancel(caller, params.id, params.replayId),
  }),
};

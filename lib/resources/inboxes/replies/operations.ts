import { config } from "@/lib/platform/config/config";
import { operation } from "@/lib/platform/http/operation";
import { readBytes } from "@/lib/platform/http/request";
import { HttpResponse } from "@/lib/platform/http/response";
import { countedAddress } from "@/lib/platform/http/sent-for";
import { validate } from "@/lib/platform/http/validation";
import { listOf, listQuery } from "@/lib/platform/lists/list";
import { InboxReply, ReplyHeaders, ReplyQuery, ReplyReadQuery } from "./contract";
import { readReply } from "./read";
import * as replies from "./service";

export const inboxReplyOperations = {
  reply: operation("POST /api/inboxes/{id}/events/{eventId}/reply", {
    id: "replyToInboxEvent",
    summary: "Reply to the sender of an event",
    description:
      "Stores the body and its Content-Type, and acknowledges the event. The sender reads it at `Reply-Url`.",
    rawBody: { contentType: "*/*" },
    bodyOptional: true,
    query: ReplyQuery,
    failures: [413],
    errors: ["lease_lost", "inbox_full"],
    success: { status: 200, schema: InboxReply },
    async handle({ caller, params, query, request, commit }) {
      const type = request.headers.get("content-type");
      validate(ReplyHeaders, type === null ? {} : { "Content-Type": type });
      const body = await readBytes(request, config().inboxMaxBodyBytes);
      const content = { contentType: type, body, address: countedAddress(request) };
      return replies.reply(caller, params.id, params.eventId, query.lease_id, content, commit);
    },
  }),
  read: operation("GET /api/inboxes/{id}/events/{eventId}/reply/{secret}", {
    id: "readInboxReply",
    summary: "Read the reply to an event",
    description: "The `Reply-Url` of the sent event. 204 while there is no reply.",
    auth: "ignored",
    query: ReplyReadQuery,
    success: { status: 200, contentType: "*/*", orNothing: true },
    waits: ({ query }) => (query.wait ? { kind: "poll" } : undefined),
    async handle({ params: { id, eventId, secret }, query, request }) {
      const { signal } = request;
      const reply = await readReply(
        { inboxId: id, eventId, secret },
        { seconds: query.wait ?? 0, signal },
      );
      if (!reply) return new HttpResponse(204, {}, null);
      // Untrusted content: browsers must not render it on our origin.
      const headers = {
        "Content-Type": reply.contentType || "application/octet-stream",
        "Content-Disposition": "attachment",
        "Content-Security-Policy": "sandbox",
        "X-Content-Type-Options": "nosniff",
      };
      return new HttpResponse(200, headers, new Uint8Array(reply.body));
    },
  }),
  list: operation("GET /api/inboxes/{id}/replies", {
    id: "listInboxReplies",
    summary: "List the replies of an inbox",
    description: "Replies to the newest events first.",
    query: listQuery("iev"),
    success: { status: 200, schema: listOf(InboxReply) },
    handle: ({ caller, params, query }) => replies.list(caller, params.id, query),
  }),
};

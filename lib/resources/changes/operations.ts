import { operation } from "@/lib/platform/http/operation";
import { HttpResponse } from "@/lib/platform/http/response";
import { listOf } from "@/lib/platform/lists/list";
import { Change, ChangeListQuery, ChangeStreamQuery } from "./contract";
import { list, startOf, streamChanges } from "./service";

export const changeOperations = {
  list: operation("GET /api/changes", {
    id: "listChanges",
    summary: "List changes to your resources",
    description:
      "Oldest first, without gaps. `next_cursor` is always present: send it as `after`, with `wait` to wait for more.",
    auth: "required",
    query: ChangeListQuery,
    errors: ["cursor_expired"],
    success: { status: 200, schema: listOf(Change) },
    waits: ({ query }) => (query.wait ? { kind: "poll" } : undefined),
    handle: ({ caller, query, request }) => list(caller, query, request.signal),
  }),
  stream: operation("GET /api/changes/stream", {
    id: "streamChanges",
    summary: "Stream changes as they are made",
    description:
      "Server-sent events: `id` is the change's ID, `data` the change. Begins after `Last-Event-ID`, `after`, or now.",
    auth: "required",
    query: ChangeStreamQuery,
    errors: ["cursor_expired"],
    success: { status: 200, contentType: "text/event-stream" },
    waits: () => ({ kind: "stream" }),
    handle: async ({ caller, query, request }) =>
      new HttpResponse(
        200,
        {
          "Content-Type": "text/event-stream; charset=utf-8",
          "Cache-Control": "no-store, no-transform",
        },
        await streamChanges(caller, query, await startOf(request, query), request.signal),
      ),
  }),
};

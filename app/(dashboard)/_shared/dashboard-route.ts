import { type SearchParams, searchParamsOf } from "@/app/_shared/query";
import { ownerOf, watcher } from "@/app/_shared/session";
import type { Caller } from "@/lib/platform/caller";
import { ApiError } from "@/lib/platform/errors";
import { challenge } from "@/lib/platform/http/challenge";
import { toApiError } from "@/lib/platform/http/error-envelope";
import { HttpResponse } from "@/lib/platform/http/response";
import { responseHold } from "@/lib/platform/limits/response-hold";
import { logError } from "@/lib/platform/telemetry/log";

interface Context<Params> {
  params: Promise<Params>;
}

type Work<Params> = (caller: Caller, params: Params, request: Request) => Promise<HttpResponse>;

/**
 * A route that pages of the dashboard fetch with the session's cookie, which the API ignores. A page
 * made for another owner gets 401, and refreshes: see `setPageOwner`. A link names the owner in its query.
 */
export function dashboardRoute<Params = object>(work: Work<Params>) {
  return async (request: Request, context: Context<Params>): Promise<Response> => {
    try {
      const now = await watcher();
      const { searchParams } = new URL(request.url);
      const owner = request.headers.get("x-owner") ?? searchParams.get("owner");
      if (owner !== null && owner !== ownerOf(now)) {
        throw new ApiError("unauthorized", "This page belongs to another organization or account.");
      }
      const result = await work(now.caller, await context.params, request);
      return toResponse(responseHold.getStore()?.(result) ?? result);
    } catch (thrown) {
      const error = toApiError(thrown);
      if (error.code === "internal_error") logError("A request failed.", thrown);
      // As on the pages, another organization's resource looks like a missing one.
      const hidden = error.code === "forbidden" || error.code === "resource_not_found";
      const status = hidden ? 404 : error.status;
      const headers = { ...(status === 401 && challenge(error)), ...error.headers, ...TEXT };
      return new Response(hidden ? "Not found." : error.message, { status, headers });
    }
  };
}

/** `Response` would copy the bytes, and keep the copy in memory beside them. */
function toResponse({ status, headers, body }: HttpResponse): Response {
  const sent = body instanceof Uint8Array ? streamOf(body) : body;
  return new Response(sent, { status, headers });
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}

/** `dashboardRoute` for signed-in visitors only. */
export function accountRoute<Params = object>(work: Work<Params>) {
  return dashboardRoute<Params>((caller, params, request) => {
    if (caller.kind === "anonymous") throw new ApiError("unauthorized", "You are signed out.");
    return work(caller, params, request);
  });
}

/** What the page of a signed-in visitor polls: a line that changes with its data. */
export function livePage(read: (caller: Caller, query: SearchParams) => Promise<string>) {
  return accountRoute(async (caller, _, request) => {
    return new HttpResponse(200, TEXT, await read(caller, searchParamsOf(request)));
  });
}

/** What the page of a resource polls. The resource may be public. */
export function liveResource<Params = object>(
  read: (caller: Caller, params: { id: string } & Params) => Promise<string>,
) {
  return dashboardRoute<{ id: string } & Params>(
    async (caller, params) => new HttpResponse(200, TEXT, await read(caller, params)),
  );
}

/** Uncached JSON. */
export function jsonResponse(value: unknown): HttpResponse {
  const headers = { "Content-Type": "application/json", "Cache-Control": "private, no-store" };
  return new HttpResponse(200, headers, JSON.stringify(value));
}

export const TEXT = {
  "Content-Type": "text/plain; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
};

import { operation } from "@/lib/platform/http/operation";
import { HttpResponse } from "@/lib/platform/http/response";
import { RawQuery } from "./contract";
import { rawResponse } from "./raw";
import { getShared } from "./shared";
import { viewResponse } from "./view";

export const sharedArtifactOperations = {
  getRaw: operation("GET /a/{token}/raw", {
    id: "getSharedRaw",
    inPartOnly: true,
    summary: "Get the content of a shared artifact",
    description: "Opened by the Raw and Download buttons of a share page. Needs no key.",
    auth: "ignored",
    query: RawQuery,
    anyQuery: true,
    success: { status: 200, contentType: "text/*" },
    ranges: true,
    async handle({ params, query, request }) {
      const shared = await getShared(params.token);
      return noindex(rawResponse(request, shared, { public: false, ...query }));
    },
  }),
  getView: operation("GET /a/{token}/view", {
    id: "getSharedView",
    inPartOnly: true,
    summary: "Get a shared artifact as an HTML page",
    description:
      "The frame of a share page: Markdown rendered; HTML with a script that reports its height.",
    auth: "ignored",
    anyQuery: true,
    success: { status: 200, contentType: "text/html" },
    ranges: true,
    async handle({ params, request }) {
      const shared = await getShared(params.token);
      return noindex(await viewResponse(request, shared));
    },
  }),
};

/** The URL is a secret, so search engines must not index it. */
function noindex({ status, headers, body }: HttpResponse): HttpResponse {
  return new HttpResponse(status, { ...headers, "X-Robots-Tag": "noindex, nofollow" }, body);
}

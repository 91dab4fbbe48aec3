import { Answer } from "@/lib/http/answer";
import { operation } from "@/lib/http/operation";
import { RawQuery } from "./contract";
import { rawAnswer } from "./raw";
import { getShared } from "./shared";
import { viewAnswer } from "./view";

const tag = "Artifacts";

export const getSharedRaw = operation({
  id: "getSharedRaw",
  method: "GET",
  path: "/a/{token}/raw",
  tag,
  inPartOnly: true,
  summary: "Get the content of a shared artifact",
  description: "What the Raw and Download buttons of a share page open. No key is needed.",
  auth: "ignored",
  query: RawQuery,
  anyQuery: true,
  success: { status: 200, contentType: "text/*" },
  ranges: true,
  async handle({ params, query, request }) {
    const shared = await getShared(params.token);
    const options = { public: false, download: query.download === "1" };
    return hidden(rawAnswer(request, shared, options));
  },
});

export const getSharedView = operation({
  id: "getSharedView",
  method: "GET",
  path: "/a/{token}/view",
  tag,
  inPartOnly: true,
  summary: "Get a shared artifact as a page of its own",
  description: "What stands in the frame of a share page: Markdown laid out, HTML as it is.",
  auth: "ignored",
  anyQuery: true,
  success: { status: 200, contentType: "text/html" },
  ranges: true,
  async handle({ params, request }) {
    const shared = await getShared(params.token);
    return hidden(await viewAnswer(request, shared));
  },
});

/** The address is a secret that its holders pass on: search engines are asked to forget it. */
function hidden({ status, headers, body }: Answer): Answer {
  return new Answer(status, { ...headers, "X-Robots-Tag": "noindex, nofollow" }, body);
}

export const sharedArtifactOperations = [getSharedRaw, getSharedView];

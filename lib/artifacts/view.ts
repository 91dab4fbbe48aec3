import { Answer } from "@/lib/http/answer";
import type { HttpRequest } from "@/lib/http/request";
import type { Format } from "./contract";
import { rawAnswer } from "./raw";
import { markdownDocument, RENDERED_POLICY, RENDERED_SANDBOX } from "./render";

/** Serves an artifact as an HTML page: Markdown rendered, HTML unchanged. */
export async function viewAnswer(
  request: HttpRequest,
  artifact: { name: string; format: Format; content: string },
): Promise<Answer> {
  if (artifact.format === "html") {
    return rawAnswer(request, artifact, { public: false, download: false });
  }
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": `${RENDERED_POLICY}; sandbox ${RENDERED_SANDBOX}`,
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "private, no-cache",
  };
  return new Answer(200, headers, await markdownDocument(artifact));
}

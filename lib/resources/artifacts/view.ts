import { clientAddress } from "@/lib/platform/http/address";
import type { HttpRequest } from "@/lib/platform/http/request";
import { HttpResponse } from "@/lib/platform/http/response";
import type { Format } from "./contract";
import { rawResponse } from "./raw";
import { markdownDocument, RENDERED_POLICY, RENDERED_SANDBOX } from "./render";

/** Tells the surrounding page, on request, how high the document is on paper of a given width. */
const REPORT_HEIGHT = `<script>(() => {
  const root = document.documentElement;
  addEventListener("message", ({ source, data }) => {
    if (source !== parent || parent === window || !(data?.paperWidth > 0)) return;
    const { width } = root.style;
    root.style.width = data.paperWidth + "px";
    const documentHeight = root.scrollHeight;
    root.style.width = width;
    parent.postMessage({ documentHeight }, "*");
  });
})();</script>`;

/** Serves an artifact as an HTML page: Markdown rendered, HTML with a script that reports its height. */
export async function viewResponse(
  request: HttpRequest,
  artifact: { name: string; format: Format; content: string },
): Promise<HttpResponse> {
  if (artifact.format === "html") {
    const content = `${artifact.content}\n${REPORT_HEIGHT}`;
    return rawResponse(request, { ...artifact, content }, { public: false });
  }
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": `${RENDERED_POLICY}; sandbox ${RENDERED_SANDBOX}`,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "private, no-cache",
  };
  return new HttpResponse(200, headers, await markdownDocument(artifact, clientAddress(request)));
}

import type { Answer } from "@/lib/http/answer";
import { contentAnswer } from "@/lib/http/content";
import type { HttpRequest } from "@/lib/http/request";
import type { Format } from "./contract";
import { attachment } from "./file-name";

/**
 * What a browser may do with each kind. An HTML artifact's scripts run in an opaque origin, so they
 * reach no cookie and no storage of ours; `allow-same-origin` and top navigation must never be here,
 * nor `Cross-Origin-Opener-Policy`, with which a sandboxed page is a network error.
 */
const SERVED: Record<Format, { type: string; policy: string }> = {
  html: {
    type: "text/html; charset=utf-8",
    policy: "sandbox allow-scripts allow-forms allow-popups allow-modals",
  },
  markdown: { type: "text/markdown; charset=utf-8", policy: "sandbox" },
};

/** The answer that serves an artifact's content itself; `public`: shared caches may keep it. */
export function rawAnswer(
  request: HttpRequest,
  artifact: { name: string; format: Format; content: string },
  options: { public: boolean; download: boolean },
): Answer {
  const { type, policy } = SERVED[artifact.format];
  return contentAnswer(request, Buffer.from(artifact.content), {
    "Content-Type": type,
    "Content-Security-Policy": policy,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": options.public ? "no-cache" : "private, no-cache",
    ...(options.download && {
      "Content-Disposition": attachment(artifact.name, artifact.format),
    }),
  });
}

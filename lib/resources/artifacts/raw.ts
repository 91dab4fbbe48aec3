import { contentResponse } from "@/lib/platform/http/content";
import type { HttpRequest } from "@/lib/platform/http/request";
import type { HttpResponse } from "@/lib/platform/http/response";
import type { Format } from "./contract";
import { attachment } from "./file-name";

/**
 * An HTML artifact's scripts run in an opaque origin and cannot reach our cookies or storage. Never
 * add `allow-same-origin` or top navigation here. `Cross-Origin-Opener-Policy` would make a
 * sandboxed page a network error.
 */
const MEDIA: Record<Format, { type: string; policy: string }> = {
  html: {
    type: "text/html; charset=utf-8",
    policy: "sandbox allow-scripts allow-forms allow-popups allow-modals",
  },
  markdown: { type: "text/markdown; charset=utf-8", policy: "sandbox" },
};

/** Serves an artifact's raw content. With `public`, shared caches may store it; see `RawQuery`. */
export function rawResponse(
  request: HttpRequest,
  artifact: { name: string; format: Format; content: string },
  options: { public: boolean; download?: string | null | undefined },
): HttpResponse {
  const { type, policy } = MEDIA[artifact.format];
  return contentResponse(request, Buffer.from(artifact.content), {
    "Content-Type": type,
    "Content-Security-Policy": policy,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": options.public ? "no-cache" : "private, no-cache",
    ...(options.download === "1" && {
      "Content-Disposition": attachment(artifact.name, artifact.format),
    }),
  });
}

import { contentResponse } from "@/lib/platform/http/content";
import type { HttpRequest } from "@/lib/platform/http/request";
import type { HttpResponse } from "@/lib/platform/http/response";
import type { Format } from "./contract";

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

const CHARACTERS_MAX = 100;
const ENDINGS: Record<Format, { added: string; known: RegExp }> = {
  markdown: { added: ".md", known: /\.(md|markdown)$/i },
  html: { added: ".html", known: /\.html?$/i },
};

/**
 * The `Content-Disposition` of a download (RFC 6266). The file name is sent in ASCII for old
 * clients and in full, encoded, for all others (RFC 8187).
 */
function attachment(name: string, format: Format): string {
  const full = fileName(name, format);
  const plain = full
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^ -~]|%/gu, "_");
  // Cleaned again: NFKD makes a fullwidth quotation mark one that would end the parameter.
  const ascii = fileName(plain, format);
  const encoded = encodeURIComponent(full).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

function fileName(name: string, format: Format): string {
  const { added, known } = ENDINGS[format];
  const stem = [...safe(name).replace(known, "")].slice(0, CHARACTERS_MAX).join("");
  // Reserved on Windows, with any extension.
  const device = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(stem);
  const ending = known.exec(safe(name))?.[0] ?? added;
  return `${device ? "_" : ""}${stem.replace(/[. ]+$/, "") || "artifact"}${ending}`;
}

/** Removes what breaks file systems or shell quoting, or misleads, as bidirectional marks. */
function safe(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, "")
    .replace(/[/\\:*?"<>|]/g, "-")
    .replace(/\s+/gu, " ")
    .replace(/^[. ]+|[. ]+$/g, "");
}

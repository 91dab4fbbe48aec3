import { setTimeout } from "node:timers/promises";
import type { Nodes } from "hast";
import { escapeHtml } from "@/lib/platform/escape-html";
import { DOCUMENT_STYLE } from "./document-style";
import { rendered } from "./rendered";

/** How long a page waits for a part of it. */
const PART_MS_MAX = 2000;

/** Allows a rendered document only images and its own style. */
export const RENDERED_POLICY =
  "default-src 'none'; img-src https: data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The sandbox of the surrounding frame, which allows only links that open in new tabs. */
export const RENDERED_SANDBOX = "allow-popups allow-popups-to-escape-sandbox";

/**
 * Renders a Markdown artifact, for the client with this address, as a complete HTML document,
 * sanitized but still meant for a frame with `RENDERED_SANDBOX`. A text that cannot be rendered is
 * shown as source.
 */
export async function markdownDocument(
  artifact: { name: string; content: string },
  address: string | null,
): Promise<string> {
  const html = await rendered(artifact.content, "html", address);
  const main =
    html === null
      ? `<p class="note">Shown as source: this document could not be rendered.</p><pre>${escapeHtml(artifact.content)}</pre>`
      : html;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${RENDERED_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(artifact.name)}</title>
<style>${DOCUMENT_STYLE}</style>
</head>
<body>
<main dir="auto">
${main}
</main>
</body>
</html>
`;
}

/**
 * Markdown as a sanitized tree for part of a page of the client with this address; null if it cannot
 * be rendered, or not soon enough. A later page may get it.
 */
export async function markdownPart(
  markdown: string,
  address: string | null,
): Promise<Nodes | null> {
  const tree = await Promise.race([
    rendered(markdown, "tree", address),
    setTimeout(PART_MS_MAX, null, { ref: false }),
  ]);
  return tree?.root ?? null;
}

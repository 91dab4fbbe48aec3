import { createHash } from "node:crypto";
import { oncePerProcess } from "@/lib/process";
import { DOCUMENT_STYLE } from "./document-style";
import { Overloaded, renderInThread } from "./markdown-threads";

/** The rendered documents that a process keeps, in characters. */
const KEPT_MAX = 16_000_000;
/** A text that could not be rendered is tried again after this: the machine may have been busy. */
const RETRY_MS = 60_000;

/** What a rendered document may load and do, wherever it stands: pictures and its own style, no more. */
export const RENDERED_POLICY =
  "default-src 'none'; img-src https: data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The sandbox of the frame around it: links open in new tabs; there is nothing else that it may do. */
export const RENDERED_SANDBOX = "allow-popups allow-popups-to-escape-sandbox";

/**
 * A Markdown artifact as a whole HTML document that is safe to show: put it into a frame with
 * `RENDERED_SANDBOX` all the same. A text that is made to be hard to render is shown as written.
 */
export async function markdownDocument(artifact: {
  name: string;
  content: string;
}): Promise<string> {
  const html = await rendered(artifact.content);
  const main =
    html === null
      ? `<p class="note">Shown as it was written: this text could not be laid out in time.</p><pre>${escaped(artifact.content)}</pre>`
      : html;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${RENDERED_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${escaped(artifact.name)}</title>
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

interface Kept {
  html: Promise<string | null>;
  length: number;
}

/** Each text is rendered once, also when many ask for it at once. */
async function rendered(markdown: string): Promise<string | null> {
  const kept = oncePerProcess("artifacts.rendered", () => new Map<string, Kept>());
  const key = createHash("sha256").update(markdown).digest("base64");
  const known = kept.get(key);
  const entry = known ?? { html: renderInThread(markdown), length: markdown.length };
  kept.delete(key);
  kept.set(key, entry); // the last is the one used last
  try {
    const html = await entry.html;
    if (known) return html;
    entry.length = (html ?? "").length;
    if (html === null) setTimeout(() => forget(kept, key, entry), RETRY_MS).unref();
    trim(kept);
    return html;
  } catch (error) {
    forget(kept, key, entry);
    if (error instanceof Overloaded) return null;
    throw error;
  }
}

function forget(kept: Map<string, Kept>, key: string, entry: Kept) {
  if (kept.get(key) === entry) kept.delete(key);
}

function trim(kept: Map<string, Kept>) {
  let length = 0;
  for (const [key, entry] of [...kept].reverse()) {
    length += entry.length + 1000;
    if (length > KEPT_MAX) kept.delete(key);
  }
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

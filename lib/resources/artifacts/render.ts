import { createHash } from "node:crypto";
import { networkOf } from "@/lib/platform/addresses";
import { ApiError } from "@/lib/platform/errors";
import { escapeHtml } from "@/lib/platform/escape-html";
import { oncePerProcess } from "@/lib/platform/process";
import { DOCUMENT_STYLE } from "./document-style";
import { renderInThread } from "./markdown-threads";

/** Size of the cache of rendered documents. */
const CACHE_CHARACTERS_MAX = 16_000_000;
/** When to retry a text that failed to render, since the machine may have been busy. */
const RETRY_MS = 60_000;

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
  const html = await cachedHtml(artifact.content, address);
  const main =
    html === null
      ? `<p class="note">Shown as source: this document could not be rendered in time.</p><pre>${escapeHtml(artifact.content)}</pre>`
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

interface CacheEntry {
  html: Promise<string | null>;
  /** The network for whose turn it waits. */
  waiting: string | undefined;
  length: number;
}

const cache = oncePerProcess("artifacts.rendered", () => new Map<string, CacheEntry>());

/**
 * Concurrent requests for one text share its rendering, but nobody waits for another network's turn,
 * which may be behind slow documents of that network.
 */
async function cachedHtml(markdown: string, address: string | null): Promise<string | null> {
  const key = createHash("sha256").update(markdown).digest("base64");
  const network = networkOf(address);
  const known = cache.get(key);
  const cached = known?.waiting === undefined || known.waiting === network ? known : undefined;
  const entry = cached ?? newEntry(markdown, address, network);
  cache.delete(key);
  cache.set(key, entry); // the most recently used come last
  try {
    const html = await entry.html;
    if (cached) return html;
    entry.length = (html ?? "").length;
    if (html === null) setTimeout(() => evict(key, entry), RETRY_MS).unref();
    trim();
    return html;
  } catch (error) {
    evict(key, entry);
    if (error instanceof ApiError) return null; // too many are waiting
    throw error;
  }
}

function newEntry(markdown: string, address: string | null, network: string): CacheEntry {
  const onTurn = () => {
    entry.waiting = undefined;
  };
  const html = renderInThread(markdown, "html", address, onTurn);
  const entry: CacheEntry = { html, waiting: network, length: markdown.length };
  return entry;
}

function evict(key: string, entry: CacheEntry) {
  if (cache.get(key) === entry) cache.delete(key);
}

function trim() {
  let length = 0;
  for (const [key, entry] of [...cache].reverse()) {
    length += entry.length + 1000;
    if (length > CACHE_CHARACTERS_MAX) cache.delete(key);
  }
}

import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Nodes } from "hast";
import { oncePerProcess } from "@/lib/platform/process";
import { renderInThread } from "./markdown-threads";

/** How long a page waits for its Markdown. */
const WAIT_MS = 2000;
/** The number of characters of Markdown to cache. */
const REMEMBERED_MAX = 1_000_000;

interface Entry {
  tree: Promise<Nodes | null>;
  length: number;
}

/**
 * Markdown as a sanitized tree for part of a page of the client with this address; null if it cannot
 * be rendered, or not soon enough. A later page may get it.
 */
export async function markdownPart(
  markdown: string,
  address: string | null,
): Promise<Nodes | null> {
  const known = oncePerProcess("artifacts.markdown-parts", () => new Map<string, Entry>());
  const key = createHash("sha256").update(markdown).digest("base64");
  const entry = known.get(key) ?? {
    tree: renderInThread(markdown, "tree", address).catch(() => {
      known.delete(key); // too many are waiting
      return null;
    }),
    length: markdown.length + 1000,
  };
  known.delete(key);
  known.set(key, entry);
  let length = 0;
  for (const [other, { length: more }] of [...known].reverse()) {
    length += more;
    if (length > REMEMBERED_MAX && other !== key) known.delete(other);
  }
  return Promise.race([entry.tree, setTimeout(WAIT_MS, null, { ref: false })]);
}

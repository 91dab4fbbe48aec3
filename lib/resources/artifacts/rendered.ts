import { hash } from "node:crypto";
import { networkOf } from "@/lib/platform/addresses";
import { ApiError } from "@/lib/platform/errors";
import { oncePerProcess } from "@/lib/platform/process";
import { type Rendered, renderInThread } from "./markdown-threads";

/** The size of each cache in characters, or what takes as much memory. */
const CHARACTERS_MAX = 16_000_000;
const CHARACTERS_PER_NODE = 150;
/** When to retry a text that failed to render, since the machine may have been busy. */
const RETRY_MS = 60_000;

interface Entry {
  rendered: Promise<Rendered[keyof Rendered] | null>;
  /** The network whose turn it waits for. */
  waiting: string | undefined;
  length: number;
}

const caches = oncePerProcess("artifacts.rendered", () => ({
  html: new Map<string, Entry>(),
  tree: new Map<string, Entry>(),
}));

/**
 * Markdown as `renderInThread` renders it for the client with this address, from a cache where
 * possible; null if it could not be rendered or too many wait. Concurrent requests for one text share
 * its rendering, but nobody waits for another network's turn, which may be behind slow documents of
 * that network.
 */
export async function rendered<As extends keyof Rendered>(
  markdown: string,
  as: As,
  address: string | null,
): Promise<Rendered[As] | null> {
  const cache = caches[as];
  const key = hash("sha256", markdown, "base64");
  const network = networkOf(address);
  const known = cache.get(key);
  const cached = known?.waiting === undefined || known.waiting === network ? known : undefined;
  const entry = cached ?? newEntry(markdown, as, address, network);
  cache.delete(key);
  cache.set(key, entry); // the most recently used come last
  const evict = () => {
    if (cache.get(key) === entry) cache.delete(key);
  };
  try {
    // The cast is safe: each cache has the results of one `as`.
    const result = (await entry.rendered) as Rendered[As] | null;
    if (cached) return result;
    if (typeof result === "string") entry.length = result.length;
    else if (result) entry.length = result.characters + result.nodes * CHARACTERS_PER_NODE;
    else setTimeout(evict, RETRY_MS).unref();
    trim(cache);
    return result;
  } catch (error) {
    evict();
    if (error instanceof ApiError) return null; // too many are waiting
    throw error;
  }
}

function newEntry(
  markdown: string,
  as: keyof Rendered,
  address: string | null,
  network: string,
): Entry {
  const onTurn = () => {
    entry.waiting = undefined;
  };
  const entry: Entry = {
    rendered: renderInThread(markdown, as, address, onTurn),
    waiting: network,
    length: markdown.length,
  };
  return entry;
}

function trim(cache: Map<string, Entry>) {
  let length = 0;
  for (const [key, entry] of [...cache].reverse()) {
    length += entry.length + 1000;
    if (length > CHARACTERS_MAX) cache.delete(key);
  }
}

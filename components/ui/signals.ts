import { noteResponse, noteStream } from "./connection";
import { readSignals } from "./signal-stream";

/** A tab that hears nothing from the leading one for this long takes its place. */
const SILENT_MS = 13_000;
const CHECK_MS = 2000;
/** Tabs that open together share a request. */
const GATHER_MS = 100;
const RETRY_MS = 500;
const RETRY_MS_MAX = 5000;
/** Another session or organization has replaced the one of this page, or there are too many streams. */
const REFUSED_RETRY_MS = 15_000;

type Message =
  /** The topics that a tab shows. */
  | { type: "want"; tab: string; endpoints: string[] }
  | { type: "leave"; tab: string }
  /** The leading tab is new and does not know what the others show. */
  | { type: "ask" }
  /** The topics that the stream follows; null if there is no stream. */
  | { type: "state"; followed: string[] | null; isAnswered?: boolean | undefined }
  | { type: "heard"; topic: string };

interface Listener {
  topic: string;
  hear(): void;
}

const listeners = new Set<Listener>();
let followed = new Set<string>();
let tellWants = () => {};

/**
 * Calls `hear` when what the topic names may have changed: a kind of resource such as `tasks`, or an
 * endpoint's ID for its captures. Returns the function that ends it.
 */
export function listen(topic: string, hear: () => void): () => void {
  const listener = { topic, hear };
  listeners.add(listener);
  tellWants();
  return () => {
    listeners.delete(listener);
    tellWants();
  };
}

/** Whether `listen` hears of every change of the topic. */
export function isFollowed(topic: string): boolean {
  return followed.has(topic);
}

/**
 * Joins the tabs of this browser that show the same view, which is that of a session and
 * organization. One of them, which holds a lock, keeps the only stream and tells the others. Without
 * locks, as over plain HTTP, there is no stream, and pages only poll. Returns the function that leaves.
 */
export function joinSignals(view: string): () => void {
  if (!("locks" in navigator)) return () => {};
  const name = `signals ${view}`;
  const tab = crypto.randomUUID();
  const channel = new BroadcastChannel(name);
  const over = new AbortController();
  const wants = new Map<string, string[]>();
  const streams = new Set<AbortController>();
  let requested: string[] | undefined;
  let isLeading = false;
  let release = () => {};
  let heardAt = performance.now();
  let retryMs = RETRY_MS;
  let next: ReturnType<typeof setTimeout> | undefined;

  const tell = (message: Message) => {
    channel.postMessage(message);
    receive(message);
  };
  const follow = (pause: number) => {
    clearTimeout(next);
    next = setTimeout(open, pause);
  };

  function receive(message: Message) {
    if (message.type === "ask") tellWants();
    if (message.type !== "want" && message.type !== "leave") heardAt = performance.now();
    if (message.type === "want") {
      wants.set(message.tab, message.endpoints);
      const isNew = message.endpoints.some((id) => requested?.includes(id) !== true);
      if (isLeading && (isNew || !requested)) follow(GATHER_MS);
    }
    if (message.type === "leave") wants.delete(message.tab);
    if (message.type === "heard") hear((topic) => topic === message.topic);
    if (message.type === "state") {
      const before = followed;
      followed = new Set(message.followed);
      noteStream(message.followed !== null);
      if (message.isAnswered !== undefined) noteResponse(message.isAnswered);
      // For changes while there was no stream.
      hear((topic) => followed.has(topic) && !before.has(topic));
    }
  }

  async function open() {
    if (!isLeading) return;
    clearTimeout(next);
    const endpoints = [...new Set([...wants.values()].flat())].sort();
    requested = endpoints;
    const mine = new AbortController();
    streams.add(mine);
    const query = new URLSearchParams([
      ["view", view],
      ...endpoints.map((id): [string, string] => ["endpoint", id]),
    ]);
    let topics: string[] | null = null;
    const status = await readSignals(`/dashboard/signals?${query}`, mine.signal, (text) => {
      const [word, ...rest] = text.split(" ");
      if (word === "following") {
        topics = rest;
        retryMs = RETRY_MS;
        // Only now, so that nothing is missed between the streams.
        for (const stream of streams) if (stream !== mine) stream.abort();
      }
      if (mine.signal.aborted) return;
      if (word === "following" || word === "beat") {
        tell({ type: "state", followed: topics });
      } else tell({ type: "heard", topic: text });
    });
    streams.delete(mine);
    // Another one has taken its place, or this tab no longer leads.
    if (mine.signal.aborted || streams.size > 0) return;
    requested = undefined;
    const isAnswered = status === 0 || status >= 500 ? false : undefined;
    tell({ type: "state", followed: null, isAnswered });
    const isRefused = status === 401 || status === 429;
    follow(isRefused ? REFUSED_RETRY_MS : retryMs);
    retryMs = Math.min(retryMs * 2, RETRY_MS_MAX);
  }

  async function lead(steal: boolean) {
    const options = steal ? { steal } : { signal: over.signal };
    const work = () =>
      new Promise<void>((resolve) => {
        if (over.signal.aborted) return resolve();
        release = resolve;
        isLeading = true;
        tell({ type: "ask" });
        follow(GATHER_MS);
      });
    // Ends when this tab leaves, or when another one takes the lock.
    await navigator.locks.request(name, options, work).catch(() => {});
    isLeading = false;
    requested = undefined;
    for (const stream of streams) stream.abort();
    if (!over.signal.aborted) lead(false);
  }

  const check = () => {
    if (performance.now() - heardAt < SILENT_MS) return;
    followed = new Set();
    noteStream(false);
    if (isLeading || document.visibilityState === "hidden") return;
    heardAt = performance.now();
    lead(true);
  };
  /** The network was lost or is back, which the stream may notice much later. */
  const reopen = () => {
    if (!isLeading) return;
    for (const stream of streams) stream.abort();
    tell({ type: "state", followed: null });
    follow(0);
  };

  tellWants = () => {
    if (over.signal.aborted) return;
    const ids = [...listeners].map(({ topic }) => topic).filter((topic) => topic.startsWith("wh_"));
    tell({ type: "want", tab, endpoints: [...new Set(ids)] });
  };
  channel.onmessage = ({ data }) => receive(data);
  window.addEventListener("online", reopen, over);
  window.addEventListener("offline", reopen, over);
  const checking = setInterval(check, CHECK_MS);
  tellWants();
  lead(false);
  return () => {
    channel.postMessage({ type: "leave", tab } satisfies Message);
    over.abort();
    release();
    for (const stream of streams) stream.abort();
    clearInterval(checking);
    clearTimeout(next);
    channel.close();
    tellWants = () => {};
    followed = new Set();
    noteStream(false);
  };
}

function hear(isMeant: (topic: string) => boolean) {
  for (const listener of listeners) if (isMeant(listener.topic)) listener.hear();
}

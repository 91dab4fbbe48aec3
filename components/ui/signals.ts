import { noteResponse, noteStream } from "./connection";
import { readSignals } from "./signal-stream";

/** A tab that has received nothing from the leader for this long takes its place. */
const SILENT_MS = 13_000;
const CHECK_MS = 2000;
/** Tabs that open together share a request. */
const GATHER_MS = 100;
const RETRY_MS = 500;
const RETRY_MS_MAX = 5000;
/** The pause after a refusal: the session or organization has changed, or there are too many streams. */
const REFUSED_RETRY_MS = 15_000;

/** From each tab: the endpoints that it shows. */
type TabMessage =
  | { type: "want"; tab: string; endpoints: string[] }
  | { type: "leave"; tab: string };

type LeaderMessage =
  /** A new leader does not know what the other tabs show. */
  | { type: "ask" }
  /** The topics that the stream follows; null if there is no stream. */
  | { type: "state"; followed: string[] | null; isAnswered?: boolean | undefined }
  | { type: "heard"; topic: string };

type Message = TabMessage | LeaderMessage;

interface Listener {
  topic: string;
  onSignal(): void;
}

const listeners = new Set<Listener>();
let followed = new Set<string>();
let sendTopics = () => {};

/**
 * Calls `onSignal` when the topic's data may have changed. A topic is a kind of resource such as
 * `tasks`, or an endpoint's ID for its captures. Returns a function that stops it.
 */
export function listen(topic: string, onSignal: () => void): () => void {
  const listener = { topic, onSignal };
  listeners.add(listener);
  sendTopics();
  return () => {
    listeners.delete(listener);
    sendTopics();
  };
}

/** Whether `listen` is told of every change of the topic. */
export function isFollowed(topic: string): boolean {
  return followed.has(topic);
}

/**
 * Joins the tabs of this browser that show the same view, that is, the same session and
 * organization. One of them, which holds a lock, has the only stream and forwards its signals.
 * Without locks, as over plain HTTP, there is no stream, and pages only poll. Returns a function
 * that leaves.
 */
export function joinSignals(view: string): () => void {
  if (!("locks" in navigator)) return () => {};
  const name = `signals ${view}`;
  const tab = crypto.randomUUID();
  const channel = new BroadcastChannel(name);
  const over = new AbortController();
  const shown = new Map<string, string[]>();
  /** Set while this tab leads. */
  let stream: ReturnType<typeof leaderStream> | undefined;
  let release = () => {};
  let receivedAt = performance.now();

  const tell = (message: Message) => {
    channel.postMessage(message);
    receive(message);
  };

  function receive(message: Message) {
    if (message.type === "want") {
      shown.set(message.tab, message.endpoints);
      stream?.include(message.endpoints);
    } else if (message.type === "leave") shown.delete(message.tab);
    else {
      receivedAt = performance.now();
      obey(message);
    }
  }

  async function lead(steal: boolean) {
    const options = steal ? { steal } : { signal: over.signal };
    const work = () =>
      new Promise<void>((resolve) => {
        if (over.signal.aborted) return resolve();
        release = resolve;
        stream = leaderStream(view, shown, tell);
        tell({ type: "ask" });
      });
    // Ends when this tab leaves, or when another one takes the lock.
    await navigator.locks.request(name, options, work).catch(() => {});
    stream?.close();
    stream = undefined;
    if (!over.signal.aborted) void lead(false);
  }

  const check = () => {
    if (performance.now() - receivedAt < SILENT_MS) return;
    followed = new Set();
    noteStream(false);
    if (stream || document.visibilityState === "hidden") return;
    receivedAt = performance.now();
    void lead(true);
  };
  /** The network was lost or is back, which the stream may detect much later. */
  const reopen = () => stream?.reopen();

  sendTopics = () => {
    if (over.signal.aborted) return;
    const ids = [...listeners].map(({ topic }) => topic).filter((topic) => topic.startsWith("wh_"));
    tell({ type: "want", tab, endpoints: [...new Set(ids)] });
  };
  channel.onmessage = ({ data }) => receive(data);
  window.addEventListener("online", reopen, over);
  window.addEventListener("offline", reopen, over);
  const checking = setInterval(check, CHECK_MS);
  sendTopics();
  void lead(false);
  return () => {
    channel.postMessage({ type: "leave", tab } satisfies Message);
    over.abort();
    release();
    stream?.close();
    clearInterval(checking);
    channel.close();
    sendTopics = () => {};
    followed = new Set();
    noteStream(false);
  };
}

/** The leader's stream. Another one replaces it if a tab shows more, or once it has ended. */
function leaderStream(
  view: string,
  shown: ReadonlyMap<string, string[]>,
  tell: (message: LeaderMessage) => void,
) {
  const streams = new Set<AbortController>();
  let requested: string[] | undefined;
  let retryMs = RETRY_MS;
  let next = setTimeout(open, GATHER_MS);

  function openIn(pause: number) {
    clearTimeout(next);
    next = setTimeout(open, pause);
  }

  async function open(): Promise<void> {
    const endpoints = [...new Set([...shown.values()].flat())].sort();
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
        // Ended only now, so that nothing is missed between the streams.
        for (const stream of streams) if (stream !== mine) stream.abort();
      }
      if (mine.signal.aborted) return;
      if (word === "following" || word === "beat") {
        tell({ type: "state", followed: topics });
      } else tell({ type: "heard", topic: text });
    });
    streams.delete(mine);
    // Another one has replaced it, or this tab no longer leads.
    if (mine.signal.aborted || streams.size > 0) return;
    requested = undefined;
    const isAnswered = status === 0 || status >= 500 ? false : undefined;
    tell({ type: "state", followed: null, isAnswered });
    const isRefused = status === 401 || status === 429;
    openIn(isRefused ? REFUSED_RETRY_MS : retryMs);
    retryMs = Math.min(retryMs * 2, RETRY_MS_MAX);
  }

  const abort = () => {
    for (const stream of streams) stream.abort();
  };
  return {
    /** A tab shows these endpoints. */
    include(endpoints: string[]) {
      const isNew = endpoints.some((id) => requested?.includes(id) !== true);
      if (isNew || !requested) openIn(GATHER_MS);
    },
    reopen() {
      abort();
      tell({ type: "state", followed: null });
      openIn(0);
    },
    close() {
      clearTimeout(next);
      abort();
    },
  };
}

/** Every tab does as the leader says. */
function obey(message: LeaderMessage) {
  if (message.type === "heard") return notify((topic) => topic === message.topic);
  const before = followed;
  if (message.type === "ask") {
    // The tab that led before may have closed without a word, and its stream with it.
    followed = new Set();
    return sendTopics();
  }
  followed = new Set(message.followed);
  noteStream(message.followed !== null);
  if (message.isAnswered !== undefined) noteResponse(message.isAnswered);
  // Covers changes made while there was no stream.
  notify((topic) => followed.has(topic) && !before.has(topic));
}

function notify(isMeant: (topic: string) => boolean) {
  for (const listener of listeners) if (isMeant(listener.topic)) listener.onSignal();
}

import { EventEmitter, once } from "node:events";
import pg from "pg";
import { config } from "@/lib/config/config";
import { oncePerProcess, stopping } from "@/lib/process";
import { type Statement, sql } from "./sql";

const CHANNEL = "announcements";
const RECONNECT_MS = 1000;
/** Behind a pooler LISTEN receives nothing, so waiters also poll. */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 2000;

/** A SQL expression that announces `topic` to all processes when its transaction commits. */
export function announcement(topic: string | Statement): Statement {
  return sql`pg_notify(${CHANNEL}, ${topic})`;
}

/** Announces `topic` to this process only. */
export function announceHere(topic: string): void {
  listen().emit(topic);
}

/**
 * Retries until an attempt returns a result: at once, whenever one of the `topics` is announced,
 * and by polling, every `pauseMs` if given. An attempt that knows when to try next calls `retryIn`. Returns undefined on
 * timeout, when the caller has gone, or at shutdown.
 */
export async function retryOnAnnouncement<Result>(
  topics: readonly string[],
  wait: { milliseconds: number; signal: AbortSignal; pauseMs?: number },
  attempt: (retryIn: (milliseconds: number) => void) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const deadline = performance.now() + wait.milliseconds;
  const news = listen();
  const over = new AbortController();
  const end = () => over.abort();
  // `AbortSignal.any` would leak: the shutdown signal keeps every dependent signal alive.
  const signals = [wait.signal, stopping().signal];
  for (const signal of signals) {
    if (signal.aborted) end();
    signal.addEventListener("abort", end);
  }
  try {
    const [firstMs, maxMs] = [wait.pauseMs ?? FIRST_PAUSE_MS, wait.pauseMs ?? MAX_PAUSE_MS];
    for (let pause = firstMs; ; pause = Math.min(pause * 2, maxMs)) {
      const left = deadline - performance.now();
      let soonest = Math.max(Math.min(left, pause), 0);
      // Subscribe before the attempt, so that no announcement is missed between it and the pause.
      const pauseEnd = new AbortController();
      const signal = AbortSignal.any([pauseEnd.signal, over.signal]);
      const announced = Promise.race(
        topics.map((topic) => once(news, topic, { signal }).catch(() => {})),
      );
      try {
        const result = await attempt((milliseconds) => {
          soonest = Math.min(soonest, milliseconds);
        });
        if (result !== undefined || left <= 0 || over.signal.aborted) return result;
        const timer = setTimeout(() => pauseEnd.abort(), soonest);
        await announced;
        clearTimeout(timer);
      } finally {
        pauseEnd.abort();
      }
    }
  } finally {
    for (const signal of signals) signal.removeEventListener("abort", end);
  }
}

/** This database's announcements as events, over one connection per process. */
function listen(): EventEmitter {
  return oncePerProcess("db.announcements", () => {
    const news = new EventEmitter().setMaxListeners(0);
    connect(news);
    return news;
  });
}

function connect(news: EventEmitter) {
  const { directUrl } = config();
  const client = new pg.Client({
    connectionString: directUrl,
    application_name: "agent-infrastructure listener",
    keepAlive: true,
  });
  let over = false;
  const reconnect = () => {
    if (over) return;
    over = true;
    client.end().catch(() => {});
    setTimeout(connect, RECONNECT_MS, news).unref();
  };
  client.on("notification", ({ payload = "" }) => news.emit(payload));
  client.on("error", reconnect);
  client.once("end", reconnect);
  client
    .connect()
    .then(() => client.query(`LISTEN ${CHANNEL}`))
    .catch(reconnect);
}

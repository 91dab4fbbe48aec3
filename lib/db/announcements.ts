import { EventEmitter, once } from "node:events";
import pg from "pg";
import { config } from "@/lib/config/config";
import { oncePerProcess, stopping } from "@/lib/process";
import { type Statement, sql } from "./sql";

const CHANNEL = "announcements";
const RECONNECT_MS = 1000;
/** Behind a pooler a listening connection hears nothing, so a waiter looks for itself now and then. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2000;

/** An expression that tells all processes, when its transaction commits, that `topic` has news. */
export function announcement(topic: string | Statement): Statement {
  return sql`pg_notify(${CHANNEL}, ${topic})`;
}

/**
 * Tries until there is something: at once, again whenever one of the `topics` is announced, and now
 * and then without an announcement; an attempt that knows when there may be something says so with
 * `lookAgainIn`. Gives undefined when the time is over, the caller has gone, or the process stops.
 */
export async function awaitNews<Result>(
  topics: readonly string[],
  wait: { milliseconds: number; signal: AbortSignal },
  attempt: (lookAgainIn: (milliseconds: number) => void) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const deadline = performance.now() + wait.milliseconds;
  const news = listen();
  const over = new AbortController();
  const end = () => over.abort();
  // `AbortSignal.any` would leak: the process's signal keeps every dependent signal alive.
  const signals = [wait.signal, stopping().signal];
  for (const signal of signals) {
    if (signal.aborted) end();
    signal.addEventListener("abort", end);
  }
  try {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const left = deadline - performance.now();
      let soonest = Math.max(Math.min(left, pause), 0);
      // Listening begins before the attempt: what arrives between it and the pause is not missed.
      const pauseIsOver = new AbortController();
      const signal = AbortSignal.any([pauseIsOver.signal, over.signal]);
      const announced = Promise.race(
        topics.map((topic) => once(news, topic, { signal }).catch(() => {})),
      );
      try {
        const result = await attempt((milliseconds) => {
          soonest = Math.min(soonest, milliseconds);
        });
        if (result !== undefined || left <= 0 || over.signal.aborted) return result;
        const timer = setTimeout(() => pauseIsOver.abort(), soonest);
        await announced;
        clearTimeout(timer);
      } finally {
        pauseIsOver.abort();
      }
    }
  } finally {
    for (const signal of signals) signal.removeEventListener("abort", end);
  }
}

/** What is announced in this database, as events. One connection for a process, made at its first use. */
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
  const again = () => {
    if (over) return;
    over = true;
    client.end().catch(() => {});
    setTimeout(connect, RECONNECT_MS, news).unref();
  };
  client.on("notification", ({ payload = "" }) => news.emit(payload));
  client.on("error", again);
  client.once("end", again);
  client
    .connect()
    .then(() => client.query(`LISTEN ${CHANNEL}`))
    .catch(again);
}

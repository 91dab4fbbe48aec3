import { EventEmitter } from "node:events";
import pg from "pg";
import { config } from "@/lib/platform/config/config";
import { query, sql } from "@/lib/platform/db/sql";
import { CONNECT_MS_MAX } from "@/lib/platform/db/time-limits";
import { oncePerProcess } from "@/lib/platform/process";

export const CHANNEL = "announcements";
/** Emitted when announcements may be missed from now on. No topic is empty. */
export const LOST = "";

const RECONNECT_MS = 1000;
/** How often an announcement shows that LISTEN still works, while anybody waits. */
const BEAT_MS = 5000;
const SILENT_MS = 2.5 * BEAT_MS;
/** The payload. Those of all processes count. */
const BEAT = "beat";

/** This database's announcements as events, over one connection per process. */
export interface Listener {
  news: EventEmitter;
  /** Whether announcements arrive: they do not behind a pooler, or while the connection is lost. */
  isLive(): boolean;
}

/**
 * Connects on first use, and again whenever the connection ends or falls silent. On Vercel the
 * connection closes while nobody waits, since the instance may be suspended.
 */
export function listener(): Listener {
  const listener = oncePerProcess("db.listener", makeListener);
  listener.wake();
  if (!listener.isLive()) listener.beat();
  return listener;
}

function makeListener() {
  const news = new EventEmitter().setMaxListeners(0);
  let heardAt = performance.now();
  let beatAt = Number.NEGATIVE_INFINITY;
  let isLive = false;
  let isResting = false;
  let retry: NodeJS.Timeout | undefined;
  let end = connect();

  setInterval(() => {
    if (config().onVercel && news.eventNames().length === 0) return rest();
    const silence = performance.now() - heardAt;
    if (silence >= BEAT_MS && news.eventNames().length > 0) beat();
    if (silence < SILENT_MS) return;
    // Nobody waited, the connection is broken, or a pooler keeps the announcements.
    heardAt = performance.now();
    if (news.eventNames().length > 0) end();
    else lose();
  }, BEAT_MS).unref();

  return { news, isLive: () => isLive, beat, wake };

  function rest() {
    if (isResting) return;
    isResting = true;
    clearTimeout(retry);
    end();
  }

  function wake() {
    if (!isResting) return;
    isResting = false;
    heardAt = performance.now();
    end = connect();
  }

  /** Announces over another connection: a pooler may return a session's own announcements only. */
  function beat() {
    if (performance.now() - beatAt < RECONNECT_MS) return;
    beatAt = performance.now();
    query(sql`SELECT pg_notify(${CHANNEL}, ${BEAT})::text`).catch(() => {});
  }

  function lose() {
    if (isLive) news.emit(LOST);
    isLive = false;
  }

  /** Returns a function that ends the connection, and so begins the next one. */
  function connect(): () => void {
    const client = new pg.Client({
      connectionString: config().directUrl,
      application_name: "agent-infrastructure listener",
      connectionTimeoutMillis: CONNECT_MS_MAX,
      keepAlive: true,
    });
    let over = false;
    const reconnect = () => {
      if (over) return;
      over = true;
      client.end().catch(() => {});
      lose();
      if (isResting) return;
      retry = setTimeout(() => {
        end = connect();
      }, RECONNECT_MS).unref();
    };
    client.on("notification", ({ payload = "" }) => {
      heardAt = performance.now();
      isLive = true;
      if (payload !== BEAT) news.emit(payload);
    });
    client.on("error", reconnect);
    client.once("end", reconnect);
    client
      .connect()
      .then(() => client.query(`LISTEN ${CHANNEL}`))
      .then(() => {
        beatAt = Number.NEGATIVE_INFINITY; // this connection did not hear an earlier beat
        beat();
      })
      .catch(reconnect);
    return reconnect;
  }
}

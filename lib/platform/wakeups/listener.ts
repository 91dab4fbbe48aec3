import { EventEmitter } from "node:events";
import pg from "pg";
import { config } from "@/lib/platform/config/config";
import { query, sql } from "@/lib/platform/db/sql";
import { CONNECT_MS_MAX } from "@/lib/platform/db/time-limits";
import { oncePerProcess } from "@/lib/platform/process";

export const CHANNEL = "announcements";
/** Emitted when publications may be missed from now on. No topic has this name. */
export const DISCONNECTED = "";

const RECONNECT_MS = 1000;
/** How often a heartbeat checks that LISTEN still works, while anyone waits. */
const HEARTBEAT_MS = 5000;
const SILENT_MS = 2.5 * HEARTBEAT_MS;
/** The payload of a heartbeat. Those of other processes count too. */
const HEARTBEAT = "beat";

/** Publications of all processes, as events, over one connection per process. */
interface Listener {
  emitter: EventEmitter;
  /** Whether publications arrive. They do not behind a pooler, or while the connection is lost. */
  isLive(): boolean;
}

/**
 * Connects on first use, and again whenever the connection ends or falls silent. On Vercel the
 * connection closes while nobody waits, since the instance may be suspended.
 */
export function listener(): Listener {
  const listener = oncePerProcess("db.listener", makeListener);
  listener.resume();
  if (!listener.isLive()) listener.sendHeartbeat();
  return listener;
}

function makeListener() {
  const emitter = new EventEmitter().setMaxListeners(0);
  let receivedAt = performance.now();
  let heartbeatAt = Number.NEGATIVE_INFINITY;
  let isLive = false;
  let isSuspended = false;
  let retry: NodeJS.Timeout | undefined;
  let end = connect();

  setInterval(() => {
    if (config().onVercel && emitter.eventNames().length === 0) return suspend();
    const silence = performance.now() - receivedAt;
    if (silence >= HEARTBEAT_MS && emitter.eventNames().length > 0) sendHeartbeat();
    if (silence < SILENT_MS) return;
    // Nobody was waiting, the connection is broken, or a pooler swallows the publications.
    receivedAt = performance.now();
    if (emitter.eventNames().length > 0) end();
    else markDisconnected();
  }, HEARTBEAT_MS).unref();

  return { emitter, isLive: () => isLive, sendHeartbeat, resume };

  function suspend() {
    if (isSuspended) return;
    isSuspended = true;
    clearTimeout(retry);
    end();
  }

  function resume() {
    if (!isSuspended) return;
    isSuspended = false;
    receivedAt = performance.now();
    end = connect();
  }

  /** Publishes over another connection: a pooler may deliver only a session's own publications. */
  function sendHeartbeat() {
    if (performance.now() - heartbeatAt < RECONNECT_MS) return;
    heartbeatAt = performance.now();
    query(sql`SELECT pg_notify(${CHANNEL}, ${HEARTBEAT})::text`).catch(() => {});
  }

  function markDisconnected() {
    if (isLive) emitter.emit(DISCONNECTED);
    isLive = false;
  }

  /** Returns a function that ends the connection, and so starts the next one. */
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
      markDisconnected();
      if (isSuspended) return;
      retry = setTimeout(() => {
        end = connect();
      }, RECONNECT_MS).unref();
    };
    client.on("notification", ({ payload = "" }) => {
      receivedAt = performance.now();
      isLive = true;
      if (payload !== HEARTBEAT) emitter.emit(payload);
    });
    client.on("error", reconnect);
    client.once("end", reconnect);
    client
      .connect()
      .then(() => client.query(`LISTEN ${CHANNEL}`))
      .then(() => {
        heartbeatAt = Number.NEGATIVE_INFINITY; // this connection did not receive an earlier one
        sendHeartbeat();
      })
      .catch(reconnect);
    return reconnect;
  }
}

import { setTimeout as pause } from "node:timers/promises";
import { organizationOf } from "@/lib/identity/access";
import type { CallerWait, Credential } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { ApiError } from "@/lib/platform/errors";
import { STREAM_MS_MAX } from "@/lib/platform/limits/connection-slots";
import { stopping } from "@/lib/platform/process";
import { kinds } from "@/lib/resources/kinds";
import { newestEvent, waitForNewest } from "@/lib/resources/webhooks/events/wait";
import { findEndpoint } from "@/lib/resources/webhooks/service";
import type { Position } from "./position";
import { latestPosition } from "./read";
import { waitForChanges } from "./service";

export const SIGNAL_ENDPOINTS_MAX = 32;
/** Shows that the stream is alive, without a statement. */
const HEARTBEAT_MS = 5000;
const WAIT_MS = 25_000;
/** The minimum time between two signals of the same topic. */
const SIGNAL_PAUSE_MS = 250;
const PAGE_CHANGES = 100;

/**
 * Tells a browser's pages what to read again, as server-sent events: the name of a kind of resource
 * after a change in the caller's organization, or an endpoint's ID after a capture. The first event
 * lists everything that is followed. Signals carry no contents: each page reads with its own
 * credential.
 */
export async function streamSignals(
  caller: Caller,
  endpoints: readonly FollowedEndpoint[],
  callerSignal: AbortSignal,
  credential: Credential,
): Promise<ReadableStream<Uint8Array>> {
  const organizationId = organizationOf(caller);
  const position = organizationId === null ? undefined : await latestPosition();
  const followed = [
    ...(position === undefined ? [] : kinds.map(({ name }) => name)),
    ...endpoints.map(({ id }) => id),
  ];
  const over = new AbortController();
  const encoder = new TextEncoder();
  /** Signals not sent yet, because the client reads slowly. */
  const unsent = new Set<string>();

  return new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string) => controller.enqueue(encoder.encode(`data: ${text}\n\n`));
      const signalTopic = (topic: string) => {
        if (over.signal.aborted) return;
        if ((controller.desiredSize ?? 0) > 0) send(topic);
        else unsent.add(topic);
      };
      const end = () => {
        if (over.signal.aborted) return;
        over.abort();
        controller.close();
      };
      const heartbeat = setInterval(signalTopic, HEARTBEAT_MS, "beat");
      const last = setTimeout(end, STREAM_MS_MAX);
      // `AbortSignal.any` would leak: the shutdown signal keeps every dependent signal alive.
      const ends = [callerSignal, stopping.signal];
      for (const signal of ends) signal.addEventListener("abort", end);
      over.signal.addEventListener("abort", () => {
        clearInterval(heartbeat);
        clearTimeout(last);
        for (const signal of ends) signal.removeEventListener("abort", end);
      });
      send(["following", ...followed].join(" "));
      if (ends.some((signal) => signal.aborted)) return end();

      const wait = { milliseconds: WAIT_MS, signal: over.signal, credential };
      if (organizationId !== null && position) {
        // The session ended or the database is down. The client reconnects and gets the error.
        followChanges(organizationId, position, wait, signalTopic).catch(end);
      }
      for (const { id, newest } of endpoints) {
        followCaptures(caller, id, newest, wait, signalTopic).catch((error) => {
          // The pages of a deleted or claimed endpoint find out when they read.
          if (error instanceof ApiError && [403, 404].includes(error.status)) signalTopic(id);
          else end();
        });
      }
    },
    pull(controller) {
      for (const topic of unsent) controller.enqueue(encoder.encode(`data: ${topic}\n\n`));
      unsent.clear();
    },
    cancel() {
      over.abort();
    },
  });
}

async function followChanges(
  organizationId: string,
  after: Position,
  wait: CallerWait,
  signalTopic: (kind: string) => void,
) {
  for (let next = after; !wait.signal.aborted; ) {
    const page = await waitForChanges(organizationId, next, { limit: PAGE_CHANGES }, wait);
    next = page.next;
    for (const kind of new Set(page.changes.map((change) => change.kind))) signalTopic(kind);
    if (page.changes.length > 0) await pause(SIGNAL_PAUSE_MS);
  }
}

async function followCaptures(
  caller: Caller,
  endpointId: string,
  known: string,
  wait: CallerWait,
  signalTopic: (endpointId: string) => void,
) {
  for (let since = known; !wait.signal.aborted; ) {
    const newest = await waitForNewest(caller, endpointId, since, wait);
    if (newest === undefined) continue;
    since = newest;
    signalTopic(endpointId);
    await pause(SIGNAL_PAUSE_MS);
  }
}

interface FollowedEndpoint {
  id: string;
  /** The ID of the endpoint's newest event. */
  newest: string;
}

/** The endpoints among these that the caller may read. */
export async function followable(
  caller: Caller,
  ids: readonly string[],
): Promise<FollowedEndpoint[]> {
  const found = await Promise.allSettled(
    ids.map(async (given) => {
      const endpoint = await findEndpoint(caller, given);
      return { id: endpoint.id, newest: await newestEvent(endpoint) };
    }),
  );
  return found.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}

import { type Credential, credentialOf } from "@/lib/accounts/credential";
import type { Caller } from "@/lib/caller";
import { invalidParam } from "@/lib/errors";
import type { HttpRequest } from "@/lib/http/request";
import { STREAM_MS_MAX } from "@/lib/http/waiting";
import { stopping } from "@/lib/process";
import type { ChangeStreamQuery } from "./contract";
import { type Position, positionOf, textOf } from "./position";
import { latestPosition, readChanges } from "./read";
import { awaitChanges, ownerOf, positionFor } from "./service";

const RETRY_MS = 1000;
const HEARTBEAT_MS = 15_000;
const PAGE_CHANGES = 100;

/**
 * The matching changes of the caller's organization after `position` (default: now) as server-sent
 * events, each once and in order. Reads only on demand. Throws 410 `cursor_expired`.
 */
export async function streamChanges(
  caller: Caller,
  { kind, action }: ChangeStreamQuery,
  position: Position | undefined,
  callerGone: AbortSignal,
  credential: Credential = credentialOf(caller),
): Promise<ReadableStream<Uint8Array>> {
  const organizationId = ownerOf(caller);
  let next = position ?? (await latestPosition());
  // Refuses an expired position before the stream begins.
  await readChanges(organizationId, next, {}, 1);
  const cancelled = new AbortController();
  const signal = AbortSignal.any([callerGone, cancelled.signal]);
  const end = performance.now() + STREAM_MS_MAX;
  const encoder = new TextEncoder();
  let greeted = false;

  return new ReadableStream(
    {
      async pull(controller) {
        // Send the position first, so that a client that received no change can resume from it.
        if (!greeted) {
          greeted = true;
          controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\nid: ${textOf(next)}\n\n`));
          return;
        }
        try {
          const page = await awaitChanges(
            organizationId,
            next,
            { kind, action, limit: PAGE_CHANGES },
            { milliseconds: Math.min(HEARTBEAT_MS, end - performance.now()), signal, credential },
          );
          next = page.next;
          const messages = page.changes.map(
            (change) => `id: ${change.id}\ndata: ${JSON.stringify(change)}\n\n`,
          );
          // An ID without data moves the client's position on and shows that the stream is alive.
          if (page.changes.length === 0) messages.push(`id: ${textOf(next)}\n\n`);
          if (!signal.aborted) controller.enqueue(encoder.encode(messages.join("")));
          const over = callerGone.aborted || stopping().signal.aborted || performance.now() >= end;
          if (over && !cancelled.signal.aborted) controller.close();
        } catch {
          // The credential ended or the database is down: the client reconnects and gets the error.
          if (!cancelled.signal.aborted) controller.close();
        }
      },
      cancel() {
        cancelled.abort();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Where a stream starts; a reconnecting client sends the last ID it received. */
export async function startOf(
  request: HttpRequest,
  { after }: ChangeStreamQuery,
): Promise<Position | undefined> {
  const lastSeen = request.headers.get("last-event-id");
  if (lastSeen === null || lastSeen === "") return positionFor(after);
  const position = positionOf(lastSeen);
  if (position) return position;
  throw invalidParam("Last-Event-ID", "Last-Event-ID must be the ID of a change, chg_….");
}

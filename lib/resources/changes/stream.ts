import { type Credential, credentialOf } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { invalidParam } from "@/lib/platform/errors";
import { eventStream } from "@/lib/platform/http/event-stream";
import type { HttpRequest } from "@/lib/platform/http/request";
import type { ChangeStreamQuery } from "./contract";
import { type Position, positionOf, textOf } from "./position";
import { latestPosition, readChanges } from "./read";
import { ownerOf, positionFor, waitForChanges } from "./service";

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
  // Refuses an expired position before the stream starts.
  await readChanges(organizationId, next, {}, 1);
  return eventStream(textOf(next), callerGone, async (wait) => {
    const filter = { kind, action, limit: PAGE_CHANGES };
    const page = await waitForChanges(organizationId, next, filter, { ...wait, credential });
    next = page.next;
    // An ID without data advances the client's position and shows that the stream is alive.
    if (page.changes.length === 0) return `id: ${textOf(next)}\n\n`;
    return page.changes
      .map((change) => `id: ${change.id}\ndata: ${JSON.stringify(change)}\n\n`)
      .join("");
  });
}

/** Where a stream starts. A reconnecting client sends the last ID it received. */
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

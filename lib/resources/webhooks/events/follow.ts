import type { Caller } from "@/lib/platform/caller";
import type { Row, RowOf } from "@/lib/platform/db/columns";
import { queryOne, sql } from "@/lib/platform/db/sql";
import { ApiError, notFound } from "@/lib/platform/errors";
import type { List } from "@/lib/platform/lists/list";
import type { ListedArtifact } from "@/lib/resources/artifacts/contract";
import * as artifacts from "@/lib/resources/artifacts/service";
import { type InboxLocation, locateEvent } from "@/lib/resources/inboxes/events/event-location";
import type { Message, MessageAttempt } from "@/lib/resources/messages/contract";
import * as messages from "@/lib/resources/messages/service";
import type { Task } from "@/lib/resources/tasks/contract";
import { progressOf } from "@/lib/resources/tasks/progress";
import * as tasks from "@/lib/resources/tasks/service";
import type { EventReplay } from "@/lib/resources/webhooks/replays/contract";
import { listEventReplays } from "@/lib/resources/webhooks/replays/history";
import { findEndpoint } from "@/lib/resources/webhooks/service";
import type { WebhookEvent } from "./contract";
import { startOfEvents } from "./filter";
import { CAPTURE_COLUMNS, type ForwardRow, forwardColumns, forwardOf } from "./serialize";

const ATTEMPTS_SHOWN = 50;
const REPLAYS_SHOWN = 10;
/** How many linked resources of each kind are shown. */
const LINKED_SHOWN = 10;

/** A captured event without its content, and what happened to it. */
export interface FollowedEvent {
  capture: RowOf<typeof CAPTURE_COLUMNS> &
    Pick<WebhookEvent, "endpoint_id" | "organization_id" | "verification_reason" | "forward">;
  /** Where the event went, if it was forwarded to an inbox. */
  inbox: InboxLocation | null;
  /** How it left the inbox; null while it is there, or if that is unknown. */
  inboxEnd: InboxEnd | null;
  /** The message that forwards it, or why it cannot be shown. */
  message: SentMessage | "deleted" | "other_owner" | null;
  /** The caller's newest replays of the event, newest first. */
  replays: EventReplay[];
  /** The caller's tasks whose external ID is the ID of the event or of the inbox event. */
  tasks: Task[];
  /** The caller's artifacts with one of these external IDs. */
  artifacts: ListedArtifact[];
}

/** How an event that forwards a captured one left its inbox, as recorded at the captured event. */
export interface InboxEnd {
  outcome: "acknowledged" | "replied" | "deleted" | "expired";
  /** Unix seconds. */
  at: number;
  /** True if it was dead by then. */
  was_dead: boolean;
  /** The last consumer to receive it. */
  consumer: string | null;
  deliveries: number;
  /** The first 1000 characters. */
  last_error: string | null;
}

interface SentMessage {
  message: Message;
  attempts: List<MessageAttempt>;
}

/**
 * Follows a captured event through everything that has happened since. Throws 404 and 403 for the
 * event.
 */
export async function follow(caller: Caller, id: string, eventId: string): Promise<FollowedEvent> {
  const endpoint = await findEndpoint(caller, id);
  // (d) An event that repeats a pending one names that one's inbox event, which may belong to this
  // endpoint.
  const row = await queryOne<FollowedRow>(
    sql`SELECT ${CAPTURE_COLUMNS}, ${forwardColumns(endpoint.id)},
               (SELECT first.inbox_end FROM webhook_events first
                WHERE first.endpoint_id = ${endpoint.id}
                  AND first.id = 'wev_' || substr(webhook_events.forwarded_id, 5)
                  AND first.forwarded_id = webhook_events.forwarded_id) AS inbox_end
        FROM webhook_events
        WHERE endpoint_id = ${endpoint.id} AND id = ${eventId}
          AND id > ${startOfEvents(endpoint)}`,
  );
  if (!row) throw notFound("webhook event", eventId);
  const forward = forwardOf(row);
  const { inbox_id = null, inbox_event_id = null, message_id = null } = forward ?? {};
  const [inbox, message, replays, linkedTasks, linkedArtifacts] = await Promise.all([
    inbox_id && inbox_event_id ? locateEvent(caller, inbox_id, inbox_event_id) : null,
    message_id ? readMessage(caller, message_id) : null,
    listEventReplays(caller, endpoint.id, row.id, { limit: REPLAYS_SHOWN }),
    named([row.id, inbox_event_id], (filter) => tasks.list(caller, filter)),
    named([row.id, inbox_event_id], (filter) => artifacts.list(caller, filter)),
  ]);
  const { verification_reason, forward_status, forward_reason, ...rest } = row;
  const { forward_inbox_id, forwarded_id, inbox_end, ...capture } = rest;
  return {
    capture: {
      ...capture,
      endpoint_id: endpoint.id,
      organization_id: endpoint.organization_id,
      verification_reason: verification_reason ?? "not_configured",
      forward,
    },
    inbox,
    inboxEnd: inbox_end === null ? null : JSON.parse(inbox_end),
    message,
    replays: replays.data,
    tasks: linkedTasks,
    artifacts: linkedArtifacts,
  };
}

/** Whether the event has reached its end, so that nothing more happens to it without a request. */
export function hasEnded({ capture, inbox, message, replays, tasks }: FollowedEvent): boolean {
  if (replays.some(isUnended)) return false;
  if (tasks.some((task) => progressOf(task) !== "done")) return false;
  if (capture.forward?.status === "held") return false;
  if (inbox?.inbox === "present") return inbox.event === null;
  if (message === null || typeof message === "string") return true;
  return !isUnended(message.message);
}

function isUnended({ status, next_attempt_at }: Pick<Message, "status" | "next_attempt_at">) {
  return ["scheduled", "delivering"].includes(status) || next_attempt_at !== null;
}

type FollowedRow = RowOf<typeof CAPTURE_COLUMNS> & ForwardRow & Row<"WebhookEvent", "inbox_end">;

async function readMessage(
  caller: Caller,
  id: string,
): Promise<SentMessage | "deleted" | "other_owner"> {
  try {
    const [message, attempts] = await Promise.all([
      messages.get(caller, id),
      messages.listAttempts(caller, id, { limit: ATTEMPTS_SHOWN, include: "total_count" }),
    ]);
    return { message, attempts };
  } catch (error) {
    if (error instanceof ApiError && error.code === "resource_not_found") return "deleted";
    if (error instanceof ApiError && error.code === "forbidden") return "other_owner";
    throw error;
  }
}

/** The resources of a list with these external IDs. */
async function named<Listed>(
  externalIds: (string | null)[],
  list: (filter: { external_id: string; limit: number }) => Promise<List<Listed>>,
): Promise<Listed[]> {
  const known = externalIds.filter((id) => id !== null);
  const lists = await Promise.all(
    known.map((external_id) => list({ external_id, limit: LINKED_SHOWN })),
  );
  return lists.flatMap(({ data }) => data);
}

import { creatorNetwork } from "@/lib/identity/anonymous";
import type { Caller } from "@/lib/platform/caller";
import { byteaOf } from "@/lib/platform/db/bytea";
import { sql } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { FORWARDED_HEADER } from "@/lib/platform/http/relayed";
import { type Insertion, inserter, type Made } from "@/lib/resources/insertion";
import { type CreatedMessage, MessageCreate, OVERDUE_SECONDS } from "./contract";
import { messageKind } from "./kind";
import { type MessageRow, serializeMessage } from "./serialize";
import { messages } from "./service";
import { assertReachable, hostOf } from "./target";

/** Beyond this, the caller may have sent milliseconds instead of seconds. */
const FAR_AHEAD_SECONDS = 31_622_400; // 366 days, the largest `delay_seconds`

/** A new message of the caller's organization, or a public one. Throws 400 without a time. */
export function creation(caller: Caller, input: MessageCreate): Insertion<CreatedMessage> {
  const { scheduled_at, delay_seconds } = input;
  if (scheduled_at === undefined && delay_seconds === undefined) {
    throw new ApiError(
      "missing_required_param",
      "Either scheduled_at or delay_seconds is required.",
      { param: "scheduled_at" },
    );
  }
  const body = input.body === undefined || input.body === null ? null : Buffer.from(input.body);
  return schedule(caller, { ...input, body });
}

/** Like `creation`, with a binary body. Due now unless it has a time. */
export function schedule(
  caller: Caller,
  input: Omit<MessageCreate, "body"> & { body: Uint8Array | null },
): Insertion<CreatedMessage> {
  assertReachable(caller, input.url);
  const { identity, claim } = messages.newIdentity(caller);
  const body = input.body && Buffer.from(input.body);
  const row = {
    url: input.url,
    method: input.method ?? "POST",
    // What a relayed request creates is marked too, so that it cannot loop.
    headers: { ...input.headers, ...(caller.isRelayed && { [FORWARDED_HEADER]: "1" }) },
    external_id: input.external_id ?? null,
    ...identity,
  };
  const { scheduled_at: at, delay_seconds: delay = 0 } = input;
  const stored = {
    network: creatorNetwork(caller),
    host: hostOf(input.url),
    body: body && byteaOf(body),
    scheduled_at: at ?? null,
    delay_seconds: delay,
    public_only: caller.foreignPage !== undefined,
    traceparent: caller.traceparent ?? null,
    ...row,
  };
  const shown = ({ created_at, updated_at, revision }: Made) => {
    const scheduled_at = at ?? created_at + delay;
    const { overdue, ...warned } = membersByTime(scheduled_at, created_at);
    const message: MessageRow = {
      body,
      scheduled_at,
      status: "scheduled",
      due_at: null,
      overdue,
      held: false,
      attempts: 0,
      response_status: null,
      last_error: null,
      delivered_at: null,
      created_at,
      updated_at,
      revision,
      ...row,
    };
    return { ...serializeMessage(message, caller), ...claim, ...warned };
  };
  return insertion(caller, stored, shown, at === undefined ? ["scheduled_at"] : []);
}

/** The response to a create. Its record was made before the time of creation was known. */
export function asCreated({ warnings: _, ...recorded }: CreatedMessage): CreatedMessage {
  return { ...recorded, ...membersByTime(recorded.scheduled_at, recorded.created_at) };
}

function membersByTime(scheduledAt: number, createdAt: number) {
  return {
    overdue: scheduledAt <= createdAt - OVERDUE_SECONDS,
    ...(scheduledAt > createdAt + FAR_AHEAD_SECONDS && {
      warnings: [
        `scheduled_at ${scheduledAt} is more than a year ahead. Use Unix seconds, not milliseconds.`,
      ],
    }),
  };
}

const fields = MessageCreate.omit({
  channel: true,
  scheduled_at: true,
  delay_seconds: true,
}).keyof().options;

const insertion = inserter(messageKind, {
  columns: [...fields, "network", "host", "public_only", "traceparent"],
  others: [
    "attempts_max",
    "replayed_endpoint_id",
    "replayed_event_id",
    "schedule_id",
    "schedule_time",
  ],
  computed: {
    scheduled_at: sql`due.at`,
    due_at: sql`due.at`,
    verbatim: sql`coalesce(verbatim, false)`,
    changed_without_token: sql`coalesce(changed_without_token, false)`,
  },
  joined: sql`CROSS JOIN LATERAL (
    SELECT coalesce(scheduled_at, unix_now() + (item->>'delay_seconds')::bigint) AS at
  ) AS due`,
});

import { organizationOf } from "@/lib/identity/access";
import { creatorNetwork } from "@/lib/identity/anonymous";
import type { Caller } from "@/lib/platform/caller";
import { byteaOf } from "@/lib/platform/db/bytea";
import { sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { FORWARDED_HEADER } from "@/lib/platform/http/relayed";
import { actorOf } from "@/lib/resources/change";
import { Insertion, insertTogether } from "@/lib/resources/insertion";
import { RUN_COLUMNS } from "@/lib/resources/run-headers";
import { type CreatedMessage, type Message, type MessageCreate, OVERDUE_SECONDS } from "./contract";
import { type MessageRow, serializeMessage } from "./serialize";
import { claimableMessage } from "./service";
import { assertReachable, hostOf } from "./target";

/** Beyond this, the caller may have sent milliseconds instead of seconds. */
const FAR_AHEAD_SECONDS = 31_622_400; // 366 days, the largest `delay_seconds`

/**
 * A new message of the caller's organization, or a public one with a claim token. Throws 400 when
 * no time is given.
 */
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

/** A new message that is due now, with a binary body. Used to replay captured requests. */
export function immediate(
  caller: Caller,
  input: { url: string; method?: Message["method"]; headers?: Record<string, string> },
  body: Uint8Array | null,
): Insertion<CreatedMessage> {
  return schedule(caller, { ...input, body, delay_seconds: 0 });
}

/** Stores a new message and returns it. */
export async function create(
  caller: Caller,
  input: MessageCreate,
  db?: Transaction,
): Promise<CreatedMessage> {
  return creation(caller, input).store(db);
}

function schedule(
  caller: Caller,
  input: {
    url: string;
    method?: Message["method"];
    headers?: Record<string, string>;
    body: Uint8Array | null;
    scheduled_at?: number;
    delay_seconds?: number;
    external_id?: string | null;
  },
): Insertion<CreatedMessage> {
  assertReachable(caller, input.url);
  const { id, ...ticket } = claimableMessage.newTicket(caller);
  const body = input.body && Buffer.from(input.body);
  const row = {
    id,
    organization_id: organizationOf(caller),
    url: input.url,
    method: input.method ?? "POST",
    // So that no message causes the same one again, through a forward or a schedule.
    headers: { ...input.headers, ...(caller.isRelayed && { [FORWARDED_HEADER]: "1" }) },
    external_id: input.external_id ?? null,
  };
  const { scheduled_at: at, delay_seconds: delay = 0 } = input;
  const stored = {
    ...row,
    actor: actorOf(caller),
    claim_token_digest: ticket.digest,
    network: creatorNetwork(caller),
    host: hostOf(input.url),
    body: body && byteaOf(body),
    scheduled_at: at ?? null,
    delay_seconds: delay,
    public_only: caller.foreignPage !== undefined,
    traceparent: caller.traceparent ?? null,
  };
  const now = Date.now() / 1000;
  const overdue = at !== undefined && at <= now - OVERDUE_SECONDS;
  const isFarAhead = (at ?? now + delay) > now + FAR_AHEAD_SECONDS;
  return new Insertion(insert, stored, (createdAt) => {
    const scheduledAt = at ?? createdAt + delay;
    const made: MessageRow = {
      ...row,
      body,
      scheduled_at: scheduledAt,
      status: "scheduled",
      due_at: null,
      overdue,
      held: false,
      attempts: 0,
      response_status: null,
      last_error: null,
      delivered_at: null,
      created_at: createdAt,
      updated_at: createdAt,
      revision: 1,
    };
    return {
      ...serializeMessage(made, caller),
      ...ticket.fields,
      ...(isFarAhead && { warnings: [farAheadWarning(scheduledAt)] }),
    };
  });
}

const insert = insertTogether({
  name: "messages",
  table: sql`scheduled_messages`,
  insert: sql`
    INSERT INTO scheduled_messages (id, organization_id, claim_token_digest, network, url, host,
                                    method, headers, body, scheduled_at, due_at, external_id, public_only,
                                    traceparent, attempts_max, verbatim, replayed_endpoint_id,
                                    replayed_event_id, changed_without_token, ${RUN_COLUMNS})
    SELECT id, organization_id, claim_token_digest, network, url, host, method, headers, body,
           due.at, due.at, external_id, public_only, traceparent, attempts_max, coalesce(verbatim, false),
           replayed_endpoint_id, replayed_event_id, coalesce(changed_without_token, false),
           ${RUN_COLUMNS}
    FROM given CROSS JOIN LATERAL (
      SELECT coalesce(scheduled_at, unix_now() + (item->>'delay_seconds')::bigint) AS at
    ) AS due
    RETURNING id, created_at`,
});

function farAheadWarning(scheduledAt: number): string {
  return `scheduled_at ${scheduledAt} is more than a year ahead. Use Unix seconds, not milliseconds.`;
}

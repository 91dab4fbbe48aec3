import { newId } from "@/lib/platform/db/ids";
import { query, queryOne, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { messageKind } from "./kind";
import { hostOf } from "./target";

/** Messages that replay captured events to one URL. */
export interface Replays {
  replayId: string;
  endpointId: string;
  organizationId: string;
  url: string;
  publicOnly: boolean;
  /** Whether failures are retried, as with other messages. */
  retry: boolean;
  events: { id: string; method: string; headers: Record<string, string>; body: Buffer }[];
}

/** Stores messages that are due now, with the events' own headers. */
export async function insertReplays(replays: Replays, db: Transaction): Promise<void> {
  const { replayId, endpointId, organizationId, url, publicOnly, retry, events } = replays;
  await query(
    sql`INSERT INTO scheduled_messages
          (id, webhook_replay_id, replayed_endpoint_id, replayed_event_id, organization_id, url, host,
           method, headers, body, public_only, verbatim, attempts_max, scheduled_at, due_at)
        SELECT given.id, ${replayId}, ${endpointId}, event_id, ${organizationId}, ${url},
               ${hostOf(url)}, method, headers, body, ${publicOnly}, true,
               ${retry ? null : 1}::int, unix_now(), unix_now()
        FROM unnest(
          ${events.map(() => newId(messageKind.prefix))}::text[], ${events.map(({ id }) => id)}::text[],
          ${events.map(({ method }) => method)}::message_method[],
          ${events.map(({ headers }) => JSON.stringify(headers))}::json[],
          ${events.map(({ body }) => (body.length === 0 ? null : body))}::bytea[])
          AS given (id, event_id, method, headers, body)`,
    db,
  );
}

/** The number of a replay's unfinished messages, in SQL. */
export function pendingOf(replayId: Sql): Sql {
  return sql`(SELECT count(*) FROM scheduled_messages m
              WHERE m.webhook_replay_id = ${replayId} AND m.due_at IS NOT NULL)`;
}

/** How many messages of a replay have finished, by outcome, and how many have not. */
export interface Ended {
  delivered: number;
  failed: number;
  canceled: number;
  pending: number;
}

export async function countEnded(replayId: string, db?: Transaction): Promise<Ended> {
  const row = await queryOne<Ended>(
    sql`SELECT count(*) FILTER (WHERE status = 'delivered') AS delivered,
               count(*) FILTER (WHERE status = 'failed' AND due_at IS NULL) AS failed,
               count(*) FILTER (WHERE status = 'canceled') AS canceled,
               count(*) FILTER (WHERE due_at IS NOT NULL) AS pending
        FROM scheduled_messages WHERE webhook_replay_id = ${replayId}`,
    db,
  );
  return row ?? { delivered: 0, failed: 0, canceled: 0, pending: 0 };
}

/** Cancels a replay's messages, except those being delivered. */
export async function cancelPending(replayId: string, db: Transaction): Promise<void> {
  await query(
    sql`UPDATE scheduled_messages SET status = 'canceled', due_at = NULL,
               updated_at = unix_now(), revision = revision + 1
        WHERE webhook_replay_id = ${replayId} AND due_at IS NOT NULL
          AND status IN ('scheduled', 'failed')`,
    db,
  );
}

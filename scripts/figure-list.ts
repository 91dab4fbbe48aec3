import * as mcp from "@/lib/api/mcp/endpoint";
import { SECRET_BYTES } from "@/lib/api/mcp/events/subscribe";
import { RESULT_CHARACTERS_MAX } from "@/lib/api/mcp/fit";
import { TASK_SECONDS } from "@/lib/api/mcp/tasks";
import { operations } from "@/lib/api/registry";
import { UNSHARED_LENGTH } from "@/lib/api/run-operation";
import { SMALL_RECORD_BYTES } from "@/lib/api/storage";
import { REPEAT_SECONDS } from "@/lib/identity/agents/claim";
import { LIFETIME_SECONDS_MAX } from "@/lib/identity/agents/id-jag";
import { AGE_SECONDS_MAX } from "@/lib/identity/agents/logout-token";
import { CLOCK_TOLERANCE_SECONDS, ID_LENGTH_MAX } from "@/lib/identity/agents/provider-token";
import { BODY_LENGTH, CHECKSUM_LENGTH } from "@/lib/identity/keys/key-format";
import * as clientDocument from "@/lib/identity/oauth/client-document";
import {
  ABANDONED_SECONDS,
  UNUSED_CLIENTS_MAX,
  UNUSED_SECONDS,
} from "@/lib/identity/oauth/clients";
import { DEVICE_SECONDS } from "@/lib/identity/oauth/device";
import { ENDED_SECONDS } from "@/lib/identity/oauth/grant";
import { INVITATION_SECONDS } from "@/lib/identity/organizations/invitations";
import {
  SHARED_CODES,
  SHORT_CODE_LIMITS,
  SHORT_DIGITS,
  TOTAL_TRIES,
} from "@/lib/identity/people/otp-limits";
import { CODE_KEPT_SECONDS } from "@/lib/identity/people/prepare-code";
import { SESSION_IDLE_SECONDS, SESSION_SECONDS_MAX } from "@/lib/identity/sessions/sessions";
import { KEY_SIGN_IN_LIMIT } from "@/lib/identity/sessions/visitor";
import { UNPACKED_BYTES_MAX } from "@/lib/platform/bodies/unpack";
import { environment } from "@/lib/platform/config/environment";
import { WAIT_MS_MAX } from "@/lib/platform/db/connect-at-start";
import { IDLE_ON_VERCEL_MS } from "@/lib/platform/db/connections";
import { REPORT_EVERY_MS } from "@/lib/platform/db/failures";
import { RANDOM_LENGTH as ID_LENGTH } from "@/lib/platform/db/ids";
import { LOCK_MS_MAX, WAIT_MINUTES_MAX } from "@/lib/platform/db/migrate";
import { CATCH_UP_MS_MAX, REPLICA_MS_MAX } from "@/lib/platform/db/replica";
import * as database from "@/lib/platform/db/time-limits";
import { LOG_BYTES_MAX } from "@/lib/platform/embedded-postgres/postmaster";
import { PARTS_VALUES_MAX } from "@/lib/platform/http/bounded-json";
import { LISTENING_PAUSE_MS, MAX_PAUSE_MS } from "@/lib/platform/wakeups/pubsub";
import { CHARACTERS_MAX as RENDERED_CHARACTERS_MAX } from "@/lib/resources/artifacts/markdown";
import * as markdown from "@/lib/resources/artifacts/markdown-threads";
import { ENDED_MAX as ENDED_SHARES_MAX } from "@/lib/resources/artifacts/shares";
import { RANDOM_LENGTH as CLAIM_TOKEN_LENGTH } from "@/lib/resources/claim-token";
import { CLAIMED_LISTED_MAX } from "@/lib/resources/claims/contract";
import { REDRIVE_MAX } from "@/lib/resources/inboxes/events/consumer-contract";
import { IngestQuery } from "@/lib/resources/inboxes/events/contract";
import { OVERDUE_SECONDS } from "@/lib/resources/messages/contract";
import { PENDING_MAX, PUBLIC_PENDING_MAX } from "@/lib/resources/messages/enqueue";
import { ADDED_HEADERS_BYTES_MAX, ADDED_HEADERS_MAX } from "@/lib/resources/messages/push-target";
import { FAILURES_MAX } from "@/lib/resources/messages/unreachable-hosts";
import { QUESTION_MAILS_MAX } from "@/lib/resources/notices/question-notices";
import { PART_BYTES, RESOURCE_BYTES } from "@/lib/resources/storage/stored-bytes-sum";
import { TTL_SECONDS_MAX } from "@/lib/resources/subscriptions/event-service";
import { WebhookEventListQuery } from "@/lib/resources/webhooks/events/contract";
import { SEARCH_BYTES_MAX } from "@/lib/resources/webhooks/events/filter";
import { LONG_JSON_VALUES_MAX, UNVERIFIED_JSON_BYTES_MAX } from "@/lib/resources/webhooks/flow";
import { CONDITIONS_MAX } from "@/lib/resources/webhooks/forward/match";
import { UNENDED_MAX } from "@/lib/resources/webhooks/replays/run";
import { TOLERANCE_SECONDS_DEFAULT } from "@/lib/resources/webhooks/verification/contract";
import { OVERLAP_SECONDS } from "@/lib/resources/webhooks/verification/service";
import { TIMEOUT_MS } from "@/lib/upkeep/health/database";
import { LATE_SECONDS } from "@/lib/upkeep/health/service";
import { boundsOf } from "@/lib/upkeep/limits/fields";
import { DEPTH_AGE_MS_MIN } from "@/lib/upkeep/metrics/service-metrics";
import { BATCH, SWEEP_BUDGET_MS } from "@/lib/upkeep/sweep";
import manifest from "@/package.json" with { type: "json" };
import * as listen from "@/packages/client/src/cli/commands/listen";
import * as work from "@/packages/client/src/cli/commands/work";
import { exitCodes } from "@/packages/client/src/cli/failure";
import { RETRY_SECONDS_MAX, RETRY_SECONDS_MIN } from "@/packages/client/src/work";
import * as exchanges from "@/server/exchanges";
import { HEADER_BYTES_MAX, HEADERS_MS_MAX, IDLE_MS_MAX } from "@/server/serve";
import { DRAIN_MS, QUIET_WAIT_MS_MAX } from "@/server/stop";
import { FAILED_STARTS_MAX } from "@/server/workers";

/** Figures that documents state and `/api/limits` does not. */
export const others: Record<string, unknown> = {
  node_version_min: Number(/\d+\.\d+/.exec(manifest.engines.node)?.[0]),
  "api.batch_values_max": PARTS_VALUES_MAX,
  "api.unshared_idempotency_key_characters_min": UNSHARED_LENGTH,
  "api.small_record_bytes_max": SMALL_RECORD_BYTES,
  "api.capture_upload_seconds_max": Math.max(...operations.map((one) => one.uploadSecondsMax)),
  "mcp.result_characters_max": RESULT_CHARACTERS_MAX,
  "mcp.task_seconds": TASK_SECONDS,
  "mcp.envelope_bytes_max": mcp.ENVELOPE_BYTES,
  "mcp.small_bytes_max": mcp.SMALL_BYTES_MAX,
  "keys.random_bits": randomBits(BODY_LENGTH),
  "keys.characters": BODY_LENGTH + CHECKSUM_LENGTH,
  "keys.checksum_characters": CHECKSUM_LENGTH,
  "ids.random_bits": randomBits(ID_LENGTH),
  "claim_tokens.random_bits": randomBits(CLAIM_TOKEN_LENGTH),
  "claim_tokens.resources_listed_max": CLAIMED_LISTED_MAX,
  "sessions.idle_seconds_max": SESSION_IDLE_SECONDS,
  "sessions.seconds_max": SESSION_SECONDS_MAX,
  "sessions.opened_with_a_key_per_day_max": KEY_SIGN_IN_LIMIT.limit,
  "invitations.seconds": INVITATION_SECONDS,
  "codes.kept_seconds": CODE_KEPT_SECONDS,
  "codes.wrong_short_codes_per_hour_max": TOTAL_TRIES.limit,
  "codes.short_codes_per_guess_a_day": 10 ** SHORT_DIGITS / (SHORT_CODE_LIMITS[0]?.limit ?? 0),
  "codes.shared_code_mails_per_day": SHARED_CODES.limit,
  "agents.claim_repeat_seconds": REPEAT_SECONDS,
  "agents.provider_id_characters_max": ID_LENGTH_MAX,
  "agents.assertion_seconds_max": LIFETIME_SECONDS_MAX,
  "agents.clock_tolerance_seconds": CLOCK_TOLERANCE_SECONDS,
  "agents.logout_token_seconds": AGE_SECONDS_MAX,
  "oauth.client_document_bytes_max": clientDocument.DOCUMENT_BYTES_MAX,
  "oauth.client_document_ms_max": clientDocument.TIMEOUT_MS,
  "oauth.client_document_kept_ms": clientDocument.KEPT_MS,
  "oauth.unused_client_seconds": UNUSED_SECONDS,
  "oauth.unused_clients_max": UNUSED_CLIENTS_MAX,
  "oauth.abandoned_client_seconds": ABANDONED_SECONDS,
  "oauth.ended_grant_seconds": ENDED_SECONDS,
  "oauth.device_code_seconds": DEVICE_SECONDS,
  "webhooks.event_list": boundsOf(WebhookEventListQuery),
  "webhooks.searched_bytes_max": SEARCH_BYTES_MAX,
  "webhooks.unpacked_bytes_max": UNPACKED_BYTES_MAX,
  "webhooks.unverified_json_bytes_max": UNVERIFIED_JSON_BYTES_MAX,
  "webhooks.long_json_values_max": LONG_JSON_VALUES_MAX,
  "webhooks.replay_messages_at_once_max": UNENDED_MAX,
  "webhooks.previous_secret_seconds": OVERLAP_SECONDS,
  "webhooks.tolerance_seconds_default": TOLERANCE_SECONDS_DEFAULT,
  "webhooks.forward_conditions_max": CONDITIONS_MAX,
  "webhooks.added_headers_max": ADDED_HEADERS_MAX,
  "webhooks.added_headers_bytes_max": ADDED_HEADERS_BYTES_MAX,
  "pushes.pending_max": PENDING_MAX,
  "pushes.public_pending_max": PUBLIC_PENDING_MAX,
  "inboxes.ingest": boundsOf(IngestQuery),
  "inboxes.redriven_max": REDRIVE_MAX,
  "artifacts.rendering_ms_max": markdown.TIMEOUT_MS,
  "artifacts.rendered_characters_max": RENDERED_CHARACTERS_MAX,
  "artifacts.ended_shares_max": ENDED_SHARES_MAX,
  "messages.failures_per_host_max": FAILURES_MAX,
  "messages.overdue_seconds": OVERDUE_SECONDS,
  "messages.found_without_wakeup_seconds": 2 * Number(presetOf("DISPATCH_INTERVAL_SECONDS")),
  "notices.question_mails_per_hour_max": QUESTION_MAILS_MAX,
  "events.secret_bytes_max": SECRET_BYTES.max,
  "events.ttl_seconds_max": TTL_SECONDS_MAX,
  "health.late_seconds": LATE_SECONDS,
  "health.answer_ms_max": TIMEOUT_MS,
  "metrics.depth_kept_ms": DEPTH_AGE_MS_MIN,
  "storage.resource_bytes": RESOURCE_BYTES,
  "storage.part_bytes": PART_BYTES,
  "sweep.batch_rows": BATCH,
  "sweep.ms_max": SWEEP_BUDGET_MS,
  "database.connect_ms_max": database.CONNECT_MS_MAX,
  "database.statement_ms_max": database.STATEMENT_MS_MAX,
  "database.answer_ms_max": database.SILENT_AFTER_MS,
  "database.silent_answer_ms_max": database.SILENT_STATEMENT_MS_MAX,
  "database.open_transaction_ms_max": database.IDLE_TRANSACTION_MS_MAX,
  "database.start_ms_max": WAIT_MS_MAX,
  "database.migration_lock_ms_max": LOCK_MS_MAX,
  "database.migration_minutes_max": WAIT_MINUTES_MAX,
  "database.log_bytes_max": LOG_BYTES_MAX,
  "database.idle_on_vercel_ms_max": IDLE_ON_VERCEL_MS,
  "database.report_every_ms": REPORT_EVERY_MS,
  "database.live_pause_ms": LISTENING_PAUSE_MS,
  "database.look_every_ms": MAX_PAUSE_MS,
  "replica.catch_up_ms_max": CATCH_UP_MS_MAX,
  "replica.statement_ms_max": REPLICA_MS_MAX,
  "server.headers_ms_max": HEADERS_MS_MAX,
  "server.header_bytes_max": HEADER_BYTES_MAX,
  "server.upload_seconds_max": exchanges.UPLOAD_SECONDS_MAX,
  "server.upload_pause_ms_max": exchanges.UPLOAD_PAUSE_MS,
  "server.upload_progress_bytes_min": exchanges.UPLOAD_PROGRESS_BYTES,
  "server.slow_upload_progress_bytes_min": exchanges.SLOW_UPLOAD_PROGRESS_BYTES,
  "server.read_pause_ms_max": exchanges.READ_PAUSE_MS,
  "server.idle_ms_max": IDLE_MS_MAX,
  "server.drain_ms_max": DRAIN_MS,
  "server.notice_of_stop_ms_max": QUIET_WAIT_MS_MAX,
  "server.failed_starts_max": FAILED_STARTS_MAX,
  "cli.exit_codes": exitCodes,
  "cli.response_seconds_max": listen.RESPONSE_SECONDS,
  "cli.events_kept": listen.EVENTS_KEPT,
  "cli.lease_seconds": work.LEASE_SECONDS,
  "cli.grace_seconds": work.GRACE_SECONDS,
  "cli.headers_bytes_max": work.HEADERS_BYTES_MAX,
  "cli.retry_seconds_min": RETRY_SECONDS_MIN,
  "cli.retry_seconds_max": RETRY_SECONDS_MAX,
};

/** The random bits of that many characters in base62. */
function randomBits(characters: number): number {
  return Math.floor(characters * Math.log2(62));
}

/** The default of an environment variable. */
export function presetOf(name: keyof typeof environment): unknown {
  return environment[name].schema.parse(undefined);
}

import { RESULT_CHARACTERS_MAX } from "@/lib/api/mcp/fit";
import { operations } from "@/lib/api/registry";
import { CLOCK_TOLERANCE_SECONDS } from "@/lib/identity/agents/provider-token";
import { SESSION_SECONDS_MAX } from "@/lib/identity/sessions/sessions";
import { UNPACKED_BYTES_MAX } from "@/lib/platform/bodies/unpack";
import {
  CONNECT_MS_MAX,
  IDLE_TRANSACTION_MS_MAX,
  STATEMENT_MS_MAX,
} from "@/lib/platform/db/time-limits";
import { RETENTION_SECONDS as CHANGE_SECONDS } from "@/lib/resources/changes/contract";
import { CLAIMED_LISTED_MAX } from "@/lib/resources/claims/contract";
import { REDRIVE_MAX } from "@/lib/resources/inboxes/events/consumer-contract";
import { IngestQuery } from "@/lib/resources/inboxes/events/contract";
import { RESPONSE_CHARACTERS_MAX } from "@/lib/resources/messages/deliver";
import { DELAYS_SECONDS, JITTER } from "@/lib/resources/messages/retry";
import { WAIT_SECONDS_MAX, WebhookEventListQuery } from "@/lib/resources/webhooks/events/contract";
import { TOLERANCE_SECONDS_DEFAULT } from "@/lib/resources/webhooks/verification/contract";
import { SWEEP_BUDGET_MS } from "@/lib/upkeep/sweep";
import manifest from "@/package.json" with { type: "json" };
import { exitCodes } from "@/packages/client/src/cli/failure";
import { bits, constant, limit, longest, preset, spaced } from "./figures";
import { TRANSFER_BYTES_MAX } from "./pages";

const field = (address: string) => spaced(limit(`fields.${address}`));
const chars = (address: string) =>
  `${limit(`fields.${address}.min_characters`)} to ${field(`${address}.max_characters`)} characters`;
const range = (address: string) =>
  `${limit(`fields.${address}.minimum`)} to ${field(`${address}.maximum`)}`;
const days = (seconds: number) => seconds / 86_400;
const megabytes = (bytes: number) => bytes / 1_000_000;

const keyRate = limit("rates.requests_per_key.limit");
const writeRate = limit("rates.writes_without_key_per_network.limit");
const arrivalRate = limit("rates.captures_or_ingests_per_id.limit");
const wrongTokens = `${limit("rates.wrong_claim_tokens_per_organization.limit")} wrong`;
const tokenWindow = `${limit("rates.wrong_claim_tokens_per_organization.window_seconds") / 60} minutes`;
const ttlDays = limit("retention.unclaimed_public_resource_days");
const replayHours = limit("retention.idempotency_key_seconds") / 3600;
const bodyBytes = spaced(limit("sizes.request_body_bytes_max"));
const largeBodyBytes = spaced(limit("sizes.message_request_body_bytes_max"));
const keptBytes = spaced(limit("sizes.captured_body_bytes_kept"));
const publicMegabytes = megabytes(limit("sizes.events_bytes_max_per_public_endpoint_or_inbox"));
const dailyMegabytes = megabytes(preset("PUBLIC_BYTES_PER_NETWORK"));
const publicGigabytes = megabytes(preset("PUBLIC_BYTES_MAX")) / 1000;
const pageMegabytes = megabytes(limit("lists.page_bytes_max"));
const connections = limit("connections.open_max");
const perNetwork = `${limit("connections.open_per_network_max")} connections, ${limit("connections.streams_per_network_max")} streams and ${limit("connections.long_polls_per_network_max")} long polls`;
const perEndpoint = limit("connections.streams_per_endpoint_max");
const uploadSeconds = constant("server", "UPLOAD_SECONDS_MAX");
const captureSeconds = Math.max(...operations.map(({ uploadSecondsMax }) => uploadSecondsMax));
const headerSeconds = constant("server", "headersTimeout") / 1000;
const [shortDigits, longDigits] = [
  limit("credentials.code_digits.0"),
  limit("credentials.code_digits.1"),
];
const codeMinutes = limit("credentials.code_seconds") / 60;
const secretHours = limit("credentials.rotated_signing_secret_overlap_seconds") / 3600;
const codeTries = limit("credentials.tries_per_code");
const dayTries = limit("credentials.tries_at_short_codes_per_address.0.limit");
const monthTries = limit("credentials.tries_at_short_codes_per_address.1.limit");
const monthDays = days(limit("credentials.tries_at_short_codes_per_address.1.window_seconds"));
const totalTries = constant("lib/identity", /TOTAL_TRIES = \{ limit: (\d+)/);
const longCodes = `After ${dayTries} wrong tries in a day, or ${monthTries} in ${monthDays} days`;

const cli = (name: string) => spaced(constant("packages/client/src/cli", name));

/** What each document promises, with the figures of the code. */
export const promises: Record<string, string[]> = {
  "README.md": [`Node ${/\d+\.\d+/.exec(manifest.engines.node)?.[0]} or newer`],
  "CHANGELOG.md": [`version is ${manifest.version},`, "OAuth 2.1 to sign"],
  "CONTRIBUTING.md": [
    `waits ${constant("lib/platform/db", "LOCK_MS_MAX") / 1000} seconds at most`,
    "over 250 lines",
    "fails on a 5xx",
  ],
  "SECURITY.md": [
    `A key has ${bits(constant("lib/identity", "BODY_LENGTH"))} random bits`,
    `The ID has ${bits(constant("lib/platform/db", "RANDOM_LENGTH"))} random bits`,
    `After ${totalTries} wrong tries in an hour over all addresses, everybody`,
    `A token has ${bits(constant("lib/resources", "RANDOM_LENGTH"))} random bits`,
    `has ${wrongTokens} tries in ${tokenWindow}`,
    `has ${shortDigits} digits, lives ${codeMinutes} minutes and allows ${codeTries} tries. ${longCodes}, an address gets codes of ${longDigits} digits`,
    `below 1 in ${spaced(10 ** shortDigits / dayTries)} a day`,
    `(AES-256-GCM) for ${replayHours} hours`,
    `at most ${bodyBytes} bytes, and ${largeBodyBytes} where a text`,
    `The first ${keptBytes} bytes of a captured body are kept`,
    `within ${headerSeconds} seconds and a body within ${uploadSeconds}, or ${captureSeconds} at a capture URL`,
    `may make ${keyRate} requests a minute, an address without a key ${writeRate} writes, and one capture or ingest URL takes ${arrivalRate} requests`,
    `keeps at most ${publicMegabytes} MB`,
    `stores at most ${dailyMegabytes} MB of public data a day, and the public at most ${publicGigabytes} GB`,
    `accepts ${connections} connections`,
    `holds at most ${perNetwork}`,
    `one endpoint ${perEndpoint} streams`,
    `deleted ${ttlDays} days after its last write`,
  ],
  "docs/guides/run-a-queue.md": ["exit code 0 acknowledges"],
  "docs/design.md": [`transfers ${TRANSFER_BYTES_MAX / 1000} kB at most`],
  "docs/guides/production.md": [`on port ${preset("PORT")}.`],
  "docs/api.md": [
    `\`limit\` is 1 to ${limit("lists.limit_max")}, ${limit("lists.limit_default")} by default`,
    `ends early at ${pageMegabytes} MB`,
    `, 1 to ${constant("lib/platform/http", /x7e\]\{1,(\d+)\}/)} printable ASCII characters`,
    `For ${replayHours} hours`,
    `than ${constant("lib/api", "UNSHARED_LENGTH")} characters`,
    `may make ${keyRate} requests a minute`,
    `may make ${writeRate} writes a minute`,
    `by its first 64 bits, and by its first 48 bits it may use ${limit("networks.large_network_factor")} times`,
    `connections runs them, ${limit("searches.at_once_per_process_max")} at once by default. In public mode one address runs ${limit("searches.at_once_per_network_max")}, and ${limit("searches.waiting_per_network_max")} more wait for up to ${limit("searches.waiting_seconds_max")} seconds`,
    `takes ${arrivalRate} requests a minute`,
    `may store ${dailyMegabytes} MB of public data in 24 hours (\`PUBLIC_BYTES_PER_NETWORK\`), and the public ${publicGigabytes} GB`,
    `may hold ${perNetwork}`,
    `One endpoint may have ${perEndpoint} streams`,
    `at most ${bodyBytes} bytes, and ${largeBodyBytes} where`,
    `at most ${limit("sizes.json_values_per_body_max")} values`,
  ],
  "docs/mcp.md": [
    `A result has at most ${spaced(RESULT_CHARACTERS_MAX)} characters`,
    `for changes wait up to ${WAIT_SECONDS_MAX} seconds`,
    `\`receive_work\` up to ${constant("lib/resources/tasks", "WAIT_SECONDS_MAX")} for work`,
    `A message has at most ${limit("sizes.json_values_per_body_max")} values`,
    `the same HTTP request and ${spaced(constant("lib/api/mcp", "ENVELOPE_BYTES"))} more`,
    `calls no tool has at most ${spaced(constant("lib/api/mcp", "SMALL_BYTES_MAX"))}.`,
  ],
  "docs/accounts.md": [
    `deleted ${ttlDays} days after its last write or event`,
    `| ${wrongTokens} tokens within ${tokenWindow}`,
    `claims up to ${limit("sizes.resources_per_claim_token_max")} resources`,
    `and lists it, up to ${CLAIMED_LISTED_MAX} resources`,
    `its token claims ${limit("sizes.resources_per_claim_token_max")} resources`,
    `\`svc_live_\` and ${constant("lib/identity", "BODY_LENGTH") + constant("lib/identity", "CHECKSUM_LENGTH")} letters and digits; the last ${constant("lib/identity", "CHECKSUM_LENGTH")} are`,
    `for ${limit("credentials.rotated_key_overlap_seconds_default")} more seconds, or \`overlap_seconds\` (${range("key_rotate.overlap_seconds")})`,
    `ends ${days(constant("lib/identity", "SESSION_IDLE_SECONDS"))} days after its last use, and after ${days(SESSION_SECONDS_MAX)} days at most`,
    `works for ${days(constant("lib/identity", "INVITATION_SECONDS"))} days; an organization may send ${limit("rates.invitations_per_organization.limit")} a day. In public mode one organization may send an address ${limit("rates.invitations_per_organization_and_address.limit")} a day, and all together ${limit("rates.invitations_per_address.limit")}.`,
  ],
  "docs/tasks.md": [
    `\`name\` | Required. ${chars("task_create.name")}.`,
    `\`description\` | Up to ${field("task_create.description.max_characters")} characters.`,
    `Up to ${field("task_create.labels.max_items")}, each 1 to ${field("task_create.labels.max_characters_per_item")} characters`,
    `waits up to ${limit("waits.task_lease_next_wait_seconds_max")} seconds`,
    `lasts ${limit("retention.task_lease_seconds_default")} seconds by default, ${range("task_lease.lease_seconds")} with`,
    `A body has ${chars("task_note.body")}, a task up to ${limit("sizes.task_notes_max")} notes`,
    `A task has up to ${limit("sizes.task_blockers_max")}.`,
  ],
  "docs/webhooks.md": [
    `first ${RESPONSE_CHARACTERS_MAX} characters of the response`,
    `can run ${limit("sizes.webhook_replays_at_once_max")} of them at a time, and replay ${spaced(limit("sizes.webhook_events_replayed_per_day_max"))} events in 24 hours`,
    `Each has at most ${constant("lib/resources/webhooks", "UNENDED_MAX")} messages under way`,
    `deleted ${constant("lib/resources/messages", "ENDED_RETENTION_SECONDS") / 86_400} days after`,
    `\`name\` | Required. ${chars("webhook_create.name")}.`,
    `\`description\` | Up to ${field("webhook_create.description.max_characters")} characters.`,
    `keep: ${range("webhook_create.max_events")}, ${limit("retention.webhook_max_events_default")} by default`,
    `up to ${limit("waits.webhook_events_wait_seconds_max")} seconds`,
    `ends after ${limit("waits.webhook_stream_seconds_max")} seconds`,
    `(up to ${longest(WebhookEventListQuery.shape.q)} characters)`,
    `at most ${pageMegabytes} MB of events and with \`q\` or \`header\` searches at most ${megabytes(constant("lib/resources/webhooks", "SEARCH_BYTES_MAX"))} MB`,
    `- \`header\` (up to ${longest(WebhookEventListQuery.shape.header)} characters)`,
    `gzip, deflate or br are unpacked, up to ${megabytes(UNPACKED_BYTES_MAX)} MB`,
    `The first ${keptBytes} bytes of a body are kept`,
    `deeper than ${limit("sizes.parsed_body_depth_max")} levels`,
    `up to ${field("webhook_verification.secret.max_characters")} characters. It is encrypted`,
    `valid for ${constant("lib/resources/webhooks", "OVERLAP_SECONDS") / 3600} hours`,
    `from now, ${TOLERANCE_SECONDS_DEFAULT} by default, so an old`,
    `these values, up to ${constant("lib/resources/webhooks", "CONDITIONS_MAX")}:`,
    `While ${constant("lib/resources/webhooks", "PENDING_MAX")} messages of an endpoint have not ended, or ${constant("lib/resources/webhooks", "PUBLIC_PENDING_MAX")} of`,
    `kept for ${days(constant("lib/resources/messages", "ENDED_RETENTION_SECONDS"))} days`,
    `at most ${spaced(constant("lib/resources/webhooks", "UNVERIFIED_JSON_BYTES_MAX"))} bytes`,
    `takes ${arrivalRate} requests a minute`,
    `keeps at most ${publicMegabytes} MB`,
    `has ${captureSeconds} seconds for a body`,
    "accept 16 KB of headers",
  ],
  "docs/artifacts.md": [
    `\`name\` | Required. ${chars("artifact_create.name")}.`,
    `Up to ${field("artifact_create.content.max_characters")} characters`,
    `is ${range("artifact_share.expires_in")} seconds`,
    `After ${days(constant("lib/resources/artifacts", "ENDED_RETENTION_SECONDS"))} days`,
    `The newest ${limit("retention.artifact_versions_listed")} versions are listed. Their contents are kept for ${days(limit("retention.artifact_earlier_content_seconds"))} days`,
    `to ${spaced(limit("sizes.artifact_earlier_content_bytes_max"))} bytes together`,
    `longer than ${constant("lib/resources/artifacts", "TIMEOUT_MS") / 1000} seconds`,
    `more than ${spaced(limit("sizes.artifact_request_body_bytes_max"))} bytes. Vercel refuses more than 4.5 MB`,
  ],
  "docs/client.md": ["the time limit, 408, 425, 429 and 5xx"],
  "docs/messages.md": [
    `| Required. ${chars("message_create.url")}, http or https`,
    `signs for another ${secretHours} hours`,
    `less than ${secretHours} hours ago`,
    `Up to ${limit("sizes.message_headers_max")}, and ${spaced(limit("sizes.message_headers_bytes_max"))} bytes`,
    `up to ${field("message_create.body.max_characters")} characters`,
    `| ${range("message_create.delay_seconds")}.`,
    `the first ${limit("deliveries.response_characters_kept")} characters`,
    `due for ${constant("lib/upkeep/health", "LATE_SECONDS")} seconds`,
    "Counts from 1.",
    "answered 2xx",
    "timeouts, 408, 425, 429 and 5xx",
    `a lease of ${limit("deliveries.lease_seconds")} seconds`,
    `after ${minutesOf(DELAYS_SECONDS)} minutes (± ${JITTER * 100} %), ${limit("deliveries.attempts_max")} attempts`,
    `up to ${limit("deliveries.retry_after_seconds_max") / 3600} hours`,
    `over ${megabytes(limit("deliveries.response_bytes_read_max"))} MB`,
    `has ${limit("deliveries.timeout_seconds")} seconds, ${limit("deliveries.connect_timeout_seconds")} of them`,
    `at most ${limit("deliveries.at_once_max")} at once, ${limit("deliveries.at_once_per_organization_max")} for one organization and ${limit("deliveries.at_once_per_host_max")} to one host`,
    `connect to a host ${constant("lib/resources/messages", "FAILURES_MAX")} times in a row`,
    `deleted ${ttlDays} days after`,
    `every ${preset("DISPATCH_INTERVAL_SECONDS")} seconds`,
    `more than ${largeBodyBytes} bytes`,
  ],
  "docs/cli.md": [
    `| ${exitCodes.ok} | Done.`,
    `| ${exitCodes.failure} | Failed`,
    `| ${exitCodes.usage} | Wrong usage`,
    `| ${exitCodes.forbidden} | Not signed in`,
    `| ${exitCodes.network} | The service cannot be reached`,
    `| ${exitCodes.nothing} | Nothing to do`,
    `| ${exitCodes.interrupted} | Stopped at once`,
    `no response within ${cli("RESPONSE_SECONDS")} seconds`,
    `\`listen\` makes keeps ${cli("EVENTS_KEPT")}.`,
    `Exit code ${exitCodes.ok} acknowledges`,
    `again after ${cli("RETRY_SECONDS_MIN")} seconds, doubled with each delivery up to ${constant("packages/client/src/cli", "RETRY_SECONDS_MAX") / 60} minutes`,
    `(\`--lease\`, ${cli("LEASE_SECONDS")} seconds)`,
    `gives running commands ${cli("GRACE_SECONDS")} seconds`,
  ],
  "docs/inboxes.md": [
    `A reply has up to ${spaced(limit("sizes.inbox_event_bytes_max"))} bytes and is kept for ${limit("retention.inbox_reply_seconds") / 3600} hours`,
    `\`name\` | Required. ${chars("inbox_create.name")}.`,
    `\`description\` | Up to ${field("inbox_create.description.max_characters")} characters.`,
    `lives: ${range("inbox_create.default_ttl_seconds")}, ${spaced(limit("inboxes.ttl_seconds_default"))} by default`,
    `pending: ${range("inbox_create.max_events")}, ${limit("inboxes.max_events_default")} by default`,
    `any bytes, up to ${spaced(limit("sizes.inbox_event_bytes_max"))} (`,
    `for ${range("inbox_nack.delay_seconds")} seconds`,
    `| 1 to ${longest(IngestQuery.shape.dedup_id)} characters`,
    `for ${replayHours} hours`,
    `(${range("inbox_receive.limit")}, 1 by default) for \`lease_seconds\` (${range("inbox_receive.lease_seconds")}, ${limit("inboxes.lease_seconds_default")} by default). Waits up to ${limit("waits.inbox_receive_wait_seconds_max")} seconds`,
    `\`delay_seconds\` (${range("inbox_nack.delay_seconds")})`,
    `Up to ${field("inbox_settle.acks.max_items")} \`acks\` and ${field("inbox_settle.nacks.max_items")} \`nacks\``,
    `with \`limit\` (1 to ${REDRIVE_MAX}) for fewer`,
    `waits up to ${limit("waits.inbox_reply_wait_seconds_max")} seconds with \`wait\``,
    `After ${limit("inboxes.deliveries_before_dead")} deliveries`,
    `at most ${publicMegabytes} MB`,
    `takes ${arrivalRate} requests a minute`,
  ],
  "docs/schedules.md": [
    `| ${chars("schedule_create.name")}.`,
    `| Either this or \`cron\`. ${range("schedule_create.every_seconds")}.`,
    "such as 30 February,",
    // The examples of tests/unit/schedule-times.spec.ts.
    "skip from 2:00 to 3:00 | at 3:00 | 1:30, 3:00, 3:30 |",
    "go from 3:00 back to 2:00 |",
    "at the first 2:30 |",
    "twice from 2:00 to 3:00 |",
    `up to ${limit("retention.schedule_time_missed_after_seconds")} seconds`,
    `the newest ${limit("retention.schedule_runs_listed")} runs`,
    `has run ${limit("sizes.public_schedule_runs_max")} times`,
    `runs ${limit("sizes.public_schedule_runs_max")} times`,
    `at most ${spaced(limit("sizes.public_schedule_target_bytes_max"))} bytes`,
    `after ${ttlDays} days`,
  ],
  "docs/changes.md": [
    `Waits up to ${limit("waits.changes_wait_seconds_max")} seconds`,
    `| 1 to ${limit("lists.limit_max")}, ${limit("lists.limit_default")} by default`,
    `for ${days(limit("retention.change_seconds"))} days. A position`,
    `or ${constant("lib/resources/subscriptions", "PENDING_MAX")} messages that`,
    `longer than ${days(limit("retention.change_seconds"))} days are lost`,
    `deleted ${days(constant("lib/resources/messages", "ENDED_RETENTION_SECONDS"))} days after`,
    `can have ${limit("sizes.subscriptions_max")} subscriptions`,
  ],
  "docs/agent-auth.md": [
    "(version 0.1)",
    `(${limit("credentials.access_token_seconds")} seconds`,
    `at most ${spaced(limit("sizes.agent_auth_request_body_bytes_max"))} bytes`,
    `works for ${days(limit("credentials.claim_token_seconds"))} days`,
    `has ${shortDigits} digits, works for ${codeMinutes} minutes and allows ${codeTries} tries`,
    `within ${constant("lib/identity/agents", "REPEAT_SECONDS")} seconds`,
    `After ${limit("credentials.wrong_codes_per_registration")} wrong tries a registration`,
    `be sent ${limit("credentials.mails_per_registration")} emails`,
    `have ${limit("credentials.mails_per_address_and_network.0.limit")} codes an hour and ${limit("credentials.mails_per_address_and_network.1.limit")} a day`,
    `of ${longDigits} digits, mailed every ${limit("credentials.shared_code_mail_interval_seconds")} seconds`,
    `${longCodes}, codes have ${longDigits} digits`,
    `After ${constant("lib/identity", /SHARED_CODES = \{ limit: (\d+)/)} of these emails a day`,
    `After ${totalTries} wrong tries in an hour over all addresses, codes of ${shortDigits} digits stop working, and new codes have ${longDigits} digits`,
    `| 1 to ${constant("lib/identity/agents", "ID_LENGTH_MAX")} characters`,
    `At most ${constant("lib/identity/agents", "LIFETIME_SECONDS_MAX")} seconds apart. Clocks may differ by ${CLOCK_TOLERANCE_SECONDS} seconds`,
    "cached for 10 minutes", // these two are jose's defaults
    "at most every 30 seconds",
    `good for ${constant("lib/identity/agents", "AGE_SECONDS_MAX")} seconds`,
    `of the last ${codeMinutes} minutes`,
    `/64 network, and with ${limit("networks.large_network_factor")} times the limit per /48. Those`,
  ],
  "docs/oauth.md": [
    "OAuth 2.1. The",
    `up to ${constant("lib/identity/oauth", "DOCUMENT_BYTES_MAX") / 1024} kB, within ${constant("lib/identity/oauth", "TIMEOUT_MS") / 1000} seconds; kept for ${constant("lib/identity/oauth", "KEPT_MS") / 60_000} minutes`,
    `after ${days(constant("lib/identity/oauth", "UNUSED_SECONDS"))} days without a sign-in, or ${days(constant("lib/identity/oauth", "ABANDONED_SECONDS"))} days`,
    `within ${limit("credentials.oauth_code_seconds")} seconds`,
    `| ${limit("credentials.oauth_code_seconds")} seconds, one use`,
    `| ${limit("credentials.oauth_access_token_seconds") / 3600} hour |`,
    `| ${days(limit("credentials.oauth_grant_idle_seconds"))} days after the last refresh, at most ${days(limit("credentials.oauth_grant_seconds_max"))} days`,
  ],
  "docs/deployment.md": [
    `up to ${largeBodyBytes} bytes`,
    `one on up to ${constant("server", /cores <= (\d+)/)} cores`,
    `half as many, at most ${constant("server", "PROCESSES_MAX")},`,
    `connections (${constant("lib/platform/db", "CONNECTIONS")})`,
    "bodies over 4.5 MB",
    `for ${constant("lib/platform/db", "IDLE_ON_VERCEL_MS") / 1000} seconds, before Vercel`,
    `end after ${limit("waits.webhook_stream_seconds_max")} seconds`,
    "such as 3,",
    "under 250 MB",
    `dispatches every ${preset("DISPATCH_INTERVAL_SECONDS")} seconds what has been due for as long (\`DISPATCH_INTERVAL_SECONDS\`; 0 turns it off)`,
    `within about ${2 * preset("DISPATCH_INTERVAL_SECONDS")} seconds`,
    "every 5 minutes at most",
    `for ${preset("DISPATCH_BUDGET_MS") / 1000} seconds`,
  ],
  "docs/operations.md": [
    `| Connecting, or a free connection of the pool | ${CONNECT_MS_MAX / 1000} seconds |`,
    `| A statement, with its locks | ${STATEMENT_MS_MAX / 1000} seconds |`,
    `| A response from the database | ${(STATEMENT_MS_MAX + constant("lib/platform/db", /STATEMENT_MS_MAX \+ (\d+)/)) / 1000} seconds; ${constant("lib/platform/db", "SILENT_STATEMENT_MS_MAX") / 1000} second while`,
    `| A transaction left open | ${IDLE_TRANSACTION_MS_MAX / 1000} seconds |`,
    `| The database, at start | ${constant("lib/platform/db", "WAIT_MS_MAX") / 1000} seconds |`,
    `| A lock, in a migration | ${constant("lib/platform/db", "LOCK_MS_MAX") / 1000} seconds | Others go first, and the migration tries again for ${constant("lib/platform/db", "WAIT_MINUTES_MAX")} minutes |`,
    `each at most every ${constant("lib/platform/db", "REPORT_EVERY_MS") / 1000} seconds`,
    "exits with code 1 and names",
    "more than 10 seconds",
    `themselves every ${constant("lib/platform/wakeups", "LISTENING_PAUSE_MS") / 1000} seconds`,
    `they look every ${constant("lib/platform/wakeups", "MAX_PAUSE_MS") / 1000} seconds`,
    `A migration waits ${constant("lib/platform/db", "LOCK_MS_MAX") / 1000} seconds for a lock`,
    `due for ${constant("lib/upkeep/health", "LATE_SECONDS")} seconds`,
    `answers within ${constant("lib/upkeep/health", "TIMEOUT_MS") / 1000} seconds`,
    `Read at most every ${constant("lib/upkeep/metrics", "DEPTH_AGE_MS_MIN") / 1000} seconds`,
    `and after ${constant("server", "QUIET_WAIT_MS_MAX") / 1000} seconds in any case`,
    `up to ${constant("server", "DRAIN_MS") / 1000} seconds`,
    `When ${constant("server", "FAILED_STARTS_MAX")} processes in a row cannot start, the server exits with code 1.`,
    `of the last ${replayHours} hours`,
    `of the last ${codeMinutes} minutes`,
    `- ${connections} connections`,
    `have up to ${spaced(constant("server", "HEADER_BYTES_MAX"))} bytes and must arrive within ${headerSeconds} seconds. A body must arrive within ${uploadSeconds} seconds, or ${captureSeconds} at`,
    `for ${constant("server", "READ_PAUSE_MS") / 1000} seconds is cut off`,
    `close after ${constant("server", "IDLE_MS_MAX") / 1000} seconds`,
    `batches of ${constant("lib/upkeep", "BATCH")} rows`,
    `| ${ttlDays} days without a write or event | \`PUBLIC_RESOURCE_TTL_DAYS\``,
    `for ${SWEEP_BUDGET_MS / 1000} seconds at most`,
    `| ${preset("MESSAGE_RETENTION_DAYS")} days | \`MESSAGE_RETENTION_DAYS\``,
    `| ${preset("AUDIT_RETENTION_DAYS")} days | \`AUDIT_RETENTION_DAYS\``,
    `| ${preset("REGISTRATION_RETENTION_DAYS")} days | \`REGISTRATION_RETENTION_DAYS\``,
    `| ${preset("IDEMPOTENCY_RETENTION_HOURS")} hours | \`IDEMPOTENCY_RETENTION_HOURS\``,
    `or pushed a change | ${days(constant("lib/resources/messages", "ENDED_RETENTION_SECONDS"))} days after they ended |`,
    `| Bulk replays | ${days(constant("lib/resources/webhooks", "KEPT_SECONDS"))} days after they ended |`,
    `| Changes in the feed | ${days(CHANGE_SECONDS)} days |`,
    `| ${days(constant("lib/resources/artifacts", "ENDED_RETENTION_SECONDS"))} days |`,
    `| Replaced contents of artifacts | ${days(limit("retention.artifact_earlier_content_seconds"))} days |`,
    `| ${days(constant("lib/identity/oauth", "ENDED_SECONDS"))} days |`,
  ],
};

function minutesOf(seconds: readonly number[]): string {
  const minutes = seconds.map((delay) => delay / 60);
  return `${minutes.slice(0, -1).join(", ")} and ${minutes.at(-1)}`;
}

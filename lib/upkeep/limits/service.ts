import type * as z from "zod";
import { JSON_BYTES_MAX, TOKEN_LENGTH_MAX } from "@/lib/identity/agents/body";
import { MAILS_PER_REGISTRATION } from "@/lib/identity/agents/claim";
import { ACCESS_TOKEN_SECONDS } from "@/lib/identity/agents/credentials";
import { agentLimits } from "@/lib/identity/agents/limits";
import { CLAIM_WINDOW_SECONDS, FAILURES_MAX } from "@/lib/identity/agents/registrations";
import { KEY_CREATION_LIMIT } from "@/lib/identity/keys/organization-keys";
import * as me from "@/lib/identity/me/contract";
import { CODE_SECONDS as OAUTH_CODE_SECONDS } from "@/lib/identity/oauth/contract";
import * as oauth from "@/lib/identity/oauth/grant";
import { oauthLimits } from "@/lib/identity/oauth/limits";
import * as invitations from "@/lib/identity/organizations/invitations";
import * as codes from "@/lib/identity/people/otp-limits";
import { CODE_SECONDS, WINDOW_SECONDS } from "@/lib/identity/people/prepare-code";
import { SIGN_IN_LIMIT as SIGN_IN_STARTS } from "@/lib/identity/people/sign-in";
import { LARGE_NETWORK_FACTOR } from "@/lib/platform/addresses";
import { config } from "@/lib/platform/config/config";
import { JSON_VALUES_MAX } from "@/lib/platform/http/bounded-json";
import { WAIT_SECONDS_MAX } from "@/lib/platform/http/fields";
import { KEY_LENGTH_MAX } from "@/lib/platform/http/idempotency";
import { BODY_BYTES_MAX, LONG_BODY_BYTES_MAX } from "@/lib/platform/http/operation";
import { DEPTH_MAX } from "@/lib/platform/http/recorded-body";
import { RECORDED_HEADERS_MAX } from "@/lib/platform/http/recorded-headers";
import { arrivalLimit } from "@/lib/platform/limits/arrival-limits";
import { anonymousWriteLimit, keyLimit } from "@/lib/platform/limits/caller-limits";
import * as waiting from "@/lib/platform/limits/connection-slots";
import { type Limit, WRONG_TOKEN_LIMIT } from "@/lib/platform/limits/fixed-window";
import * as search from "@/lib/platform/limits/search-gate";
import { LIMIT_DEFAULT, LIMIT_MAX, PAGE_BYTES_MAX } from "@/lib/platform/lists/list";
import {
  CONNECT_TIMEOUT_MS,
  RESPONSE_BYTES_MAX,
  TOTAL_TIMEOUT_MS,
} from "@/lib/platform/outbound/fetch";
import { oncePerProcess } from "@/lib/platform/process";
import {
  EARLIER_CONTENT_BYTES_MAX,
  EARLIER_CONTENT_SECONDS,
  SHARES_MAX,
  VERSIONS_MAX,
} from "@/lib/resources/artifacts/contract";
import { ENDED_RETENTION_SECONDS as ENDED_SHARE_SECONDS } from "@/lib/resources/artifacts/shares";
import { RETENTION_SECONDS as CHANGE_SECONDS } from "@/lib/resources/changes/contract";
import { CLAIM_SET_MAX } from "@/lib/resources/claim-set";
import * as inboxes from "@/lib/resources/inboxes/contract";
import { Receive } from "@/lib/resources/inboxes/events/consumer-contract";
import { LEASE_SECONDS_DEFAULT as INBOX_LEASE_SECONDS } from "@/lib/resources/inboxes/events/lease-ready";
import { REPLY_SECONDS } from "@/lib/resources/inboxes/replies/contract";
import { RESPONSE_CHARACTERS_MAX } from "@/lib/resources/messages/contract";
import { LEASE_SECONDS as DELIVERY_LEASE_SECONDS } from "@/lib/resources/messages/lease";
import { ENDED_RETENTION_SECONDS as FORWARD_MESSAGE_SECONDS } from "@/lib/resources/messages/retention";
import { DELAYS_SECONDS, JITTER, RETRY_AFTER_SECONDS_MAX } from "@/lib/resources/messages/retry";
import { SECRET_OVERLAP_SECONDS } from "@/lib/resources/messages/signing-secret";
import { HEADERS_BYTES_MAX, HEADERS_MAX } from "@/lib/resources/messages/target";
import { ALL_CHOICES_MAX, CHOICES_MAX, FIELDS_MAX } from "@/lib/resources/questions/form";
import { MISSED_AFTER_SECONDS, PUBLIC_RUNS_MAX } from "@/lib/resources/schedules/contract";
import { RUNS_KEPT } from "@/lib/resources/schedules/run";
import { PUBLIC_TARGET_BYTES_MAX } from "@/lib/resources/schedules/target";
import { networkBytesLimit } from "@/lib/resources/storage/network-bytes";
import { challengeLimits, SUBSCRIPTIONS_MAX } from "@/lib/resources/subscriptions/contract";
import { LABELS_MAX } from "@/lib/resources/tasks/contract";
import { BLOCKERS_MAX, WAITING_MAX } from "@/lib/resources/tasks/insert-blocker";
import { LEASE_SECONDS_DEFAULT, LeaseNext } from "@/lib/resources/tasks/lease-contract";
import { NOTES_MAX } from "@/lib/resources/tasks/notes-contract";
import * as webhooks from "@/lib/resources/webhooks/contract";
import {
  REPLAYED_EVENTS_PER_DAY_MAX,
  REPLAYS_AT_ONCE_MAX,
} from "@/lib/resources/webhooks/replays/contract";
import { KEPT_SECONDS as ENDED_REPLAY_SECONDS } from "@/lib/resources/webhooks/replays/retention";
import type { Limits } from "./contract";
import { boundsOf, boundsOfBodies } from "./fields";

/** Every limit, read from the constants and configuration that enforce it. */
export function limits(): z.infer<typeof Limits> {
  return oncePerProcess("limits.document", buildLimits);
}

/** One of them by its address, such as `fields.task_create.name.max_characters`. Throws when there is none. */
export function limitAt(address: string): number {
  const found = address.split(".").reduce<unknown>((value, name) => Object(value)[name], limits());
  if (typeof found !== "number") throw new Error(`There is no limit ${address}.`);
  return found;
}

function buildLimits(): z.infer<typeof Limits> {
  const settings = config();
  return {
    object: "limits",
    fields: boundsOfBodies(),
    lists: { limit_default: LIMIT_DEFAULT, limit_max: LIMIT_MAX, page_bytes_max: PAGE_BYTES_MAX },
    sizes: {
      request_body_bytes_max: BODY_BYTES_MAX,
      task_request_body_bytes_max: LONG_BODY_BYTES_MAX,
      artifact_request_body_bytes_max: LONG_BODY_BYTES_MAX,
      artifact_earlier_content_bytes_max: EARLIER_CONTENT_BYTES_MAX,
      message_request_body_bytes_max: LONG_BODY_BYTES_MAX,
      schedule_request_body_bytes_max: LONG_BODY_BYTES_MAX,
      agent_auth_request_body_bytes_max: JSON_BYTES_MAX,
      assertion_characters_max: TOKEN_LENGTH_MAX,
      captured_body_bytes_kept: settings.captureMaxBodyBytes,
      inbox_event_bytes_max: settings.inboxMaxBodyBytes,
      events_bytes_max_per_public_endpoint_or_inbox: settings.publicEventsMaxBytes,
      public_bytes_max: settings.storage.publicInAll || null,
      organization_bytes_max: settings.storage.perOrganization || null,
      recorded_headers_max: RECORDED_HEADERS_MAX,
      message_headers_max: HEADERS_MAX,
      message_headers_bytes_max: HEADERS_BYTES_MAX,
      resources_per_claim_token_max: CLAIM_SET_MAX,
      task_labels_max: LABELS_MAX,
      artifact_shares_max: SHARES_MAX,
      task_notes_max: NOTES_MAX,
      task_blockers_max: BLOCKERS_MAX,
      tasks_per_blocker_max: WAITING_MAX,
      question_form_fields_max: FIELDS_MAX,
      question_form_choices_per_field_max: CHOICES_MAX,
      question_form_choices_max: ALL_CHOICES_MAX,
      subscriptions_max: SUBSCRIPTIONS_MAX,
      webhook_replays_at_once_max: REPLAYS_AT_ONCE_MAX,
      webhook_events_replayed_per_day_max: REPLAYED_EVENTS_PER_DAY_MAX,
      public_schedule_runs_max: PUBLIC_RUNS_MAX,
      public_schedule_target_bytes_max: PUBLIC_TARGET_BYTES_MAX,
      json_values_per_body_max: JSON_VALUES_MAX,
      idempotency_key_characters_max: KEY_LENGTH_MAX,
      parsed_body_depth_max: DEPTH_MAX,
    },
    rates: {
      enforced: !settings.localMode,
      requests_per_key: serializeLimit(keyLimit()),
      writes_without_key_per_network: serializeLimit(anonymousWriteLimit()),
      captures_or_ingests_per_id: serializeLimit(arrivalLimit()),
      public_kilobytes_stored_per_network:
        settings.storage.publicPerNetwork === 0 ? null : serializeLimit(networkBytesLimit()),
      ...serializeLimits({ ...agentLimits(), ...oauthLimits, ...challengeLimits }),
      sign_ins_begun_per_network: serializeLimit(SIGN_IN_STARTS),
      invitations_per_organization: serializeLimit(invitations.MAIL_LIMIT),
      invitations_per_organization_and_address: serializeLimit(invitations.MAIL_LIMIT_PER_ADDRESS),
      invitations_per_address: serializeLimit(invitations.MAIL_LIMIT_OF_ADDRESS),
      wrong_claim_tokens_per_organization: serializeLimit(WRONG_TOKEN_LIMIT),
      rotations_per_key: serializeLimit(me.ROTATION_LIMIT),
      keys_created_per_organization: serializeLimit(KEY_CREATION_LIMIT),
    },
    networks: {
      ipv6_prefix_bits: 64,
      large_ipv6_prefix_bits: 48,
      large_network_factor: LARGE_NETWORK_FACTOR,
    },
    waits: {
      webhook_events_wait_seconds_max: WAIT_SECONDS_MAX,
      webhook_stream_seconds_max: waiting.STREAM_MS_MAX / 1000,
      changes_wait_seconds_max: WAIT_SECONDS_MAX,
      message_wait_seconds_max: WAIT_SECONDS_MAX,
      question_wait_seconds_max: WAIT_SECONDS_MAX,
      inbox_receive_wait_seconds_max: boundsOf(Receive).wait_seconds?.maximum ?? 0,
      inbox_reply_wait_seconds_max: WAIT_SECONDS_MAX,
      task_lease_next_wait_seconds_max: boundsOf(LeaseNext).wait_seconds?.maximum ?? 0,
    },
    connections: {
      enforced_per_network: !settings.localMode,
      open_max: waiting.CONNECTIONS_MAX,
      streams_and_long_polls_max: waiting.WAITING_MAX,
      open_per_network_max: waiting.CONNECTIONS_PER_ADDRESS,
      streams_per_network_max: waiting.STREAMS_PER_ADDRESS,
      long_polls_per_network_max: waiting.POLLS_PER_ADDRESS,
      streams_per_endpoint_max: waiting.STREAMS_PER_ENDPOINT,
    },
    searches: {
      enforced_per_network: !settings.localMode,
      at_once_per_process_max: search.searchesMax(),
      at_once_per_network_max: search.SEARCHES_PER_NETWORK_MAX,
      waiting_max: search.SEARCHES_WAITING_MAX,
      waiting_per_network_max: search.SEARCHES_WAITING_PER_NETWORK_MAX,
      waiting_seconds_max: search.SEARCH_WAIT_MS_MAX / 1000,
    },
    deliveries: {
      attempts_max: settings.messageMaxAttempts,
      retry_delays_seconds: DELAYS_SECONDS,
      retry_delay_jitter: JITTER,
      retry_after_seconds_max: RETRY_AFTER_SECONDS_MAX,
      connect_timeout_seconds: CONNECT_TIMEOUT_MS / 1000,
      timeout_seconds: TOTAL_TIMEOUT_MS / 1000,
      response_bytes_read_max: RESPONSE_BYTES_MAX,
      response_characters_kept: RESPONSE_CHARACTERS_MAX,
      lease_seconds: DELIVERY_LEASE_SECONDS,
      at_once_max: settings.deliveriesMax,
      at_once_per_organization_max: settings.deliveriesPerOrganizationMax,
      at_once_per_host_max: settings.deliveriesPerHostMax,
    },
    inboxes: {
      max_events_default: inboxes.MAX_EVENTS_DEFAULT,
      ttl_seconds_default: inboxes.TTL_SECONDS_DEFAULT,
      ttl_seconds_min: inboxes.TTL_SECONDS_MIN,
      ttl_seconds_max: inboxes.TTL_SECONDS_MAX,
      lease_seconds_default: INBOX_LEASE_SECONDS,
      deliveries_before_dead: settings.inboxMaxDeliveries,
    },
    credentials: {
      access_token_seconds: ACCESS_TOKEN_SECONDS,
      oauth_code_seconds: OAUTH_CODE_SECONDS,
      oauth_access_token_seconds: oauth.ACCESS_TOKEN_SECONDS,
      oauth_grant_idle_seconds: oauth.GRANT_IDLE_SECONDS,
      oauth_grant_seconds_max: oauth.GRANT_SECONDS_MAX,
      oauth_grants_per_person_and_organization_max: oauth.GRANTS_MAX,
      claim_token_seconds: CLAIM_WINDOW_SECONDS,
      rotated_key_overlap_seconds_default: me.OVERLAP_SECONDS_DEFAULT,
      rotated_key_overlap_seconds_max: me.OVERLAP_SECONDS_MAX,
      rotated_signing_secret_overlap_seconds: SECRET_OVERLAP_SECONDS,
      code_seconds: CODE_SECONDS,
      code_digits: [codes.SHORT_DIGITS, codes.LONG_DIGITS],
      tries_per_code: codes.TRIES_PER_CODE,
      wrong_codes_per_registration: FAILURES_MAX,
      mails_per_registration: MAILS_PER_REGISTRATION,
      mails_per_address_and_network: codes.MAIL_LIMITS.map(serializeLimit),
      shared_code_mail_interval_seconds: WINDOW_SECONDS,
      tries_at_short_codes_per_address: codes.SHORT_CODE_LIMITS.map(serializeLimit),
      wrong_short_codes_per_network: serializeLimit(codes.SOURCE_LIMIT),
    },
    retention: {
      idempotency_key_seconds: settings.idempotencyRetentionSeconds,
      change_seconds: CHANGE_SECONDS,
      unclaimed_public_resource_days: settings.publicResourceTtlDays,
      inbox_reply_seconds: REPLY_SECONDS,
      finished_message_days: settings.messageRetentionDays,
      ended_forward_message_seconds: FORWARD_MESSAGE_SECONDS,
      ended_webhook_replay_seconds: ENDED_REPLAY_SECONDS,
      ended_artifact_share_seconds: ENDED_SHARE_SECONDS,
      ended_registration_days: settings.registrationRetentionDays,
      audit_event_days: settings.auditRetentionDays,
      webhook_max_events_default: webhooks.MAX_EVENTS_DEFAULT,
      artifact_versions_listed: VERSIONS_MAX,
      artifact_earlier_content_seconds: EARLIER_CONTENT_SECONDS,
      task_lease_seconds_default: LEASE_SECONDS_DEFAULT,
      schedule_runs_listed: RUNS_KEPT,
      schedule_time_missed_after_seconds: MISSED_AFTER_SECONDS,
    },
  };
}

function serializeLimit({ limit, windowSeconds }: Limit) {
  return { limit, window_seconds: windowSeconds };
}

function serializeLimits(limits: Record<string, Limit>) {
  return Object.fromEntries(
    Object.entries(limits).map(([name, limit]) => [name, serializeLimit(limit)]),
  );
}

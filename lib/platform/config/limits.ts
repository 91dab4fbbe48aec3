import { integer, retentionDays } from "./variable";

/** How much the service stores. */
export const storageLimits = {
  CAPTURE_MAX_BODY_BYTES: integer(
    { min: 1, max: 20_000_000, default: 1_000_000 },
    "How many bytes of a captured body are kept. `size_bytes` has the full size.",
  ),
  INBOX_MAX_BODY_BYTES: integer(
    { min: 0, max: 20_000_000, default: 1_000_000 },
    "The largest event or reply that an inbox takes, in bytes. A larger one gets 413.",
  ),
  INBOX_MAX_DELIVERIES: integer(
    { min: 1, max: 1_000_000, default: 10 },
    "Deliveries without an acknowledgement after which an inbox event is dead.",
  ),
  PUBLIC_EVENTS_MAX_BYTES: integer(
    { min: 1, default: 50_000_000 },
    "How many bytes of events, with the errors of their nacks, and of replies a public endpoint or inbox keeps. An endpoint drops its oldest events; an inbox, which counts each event and reply as 300 bytes more, returns 429 `inbox_full`.",
  ),
  PUBLIC_BYTES_PER_NETWORK: integer(
    { min: 0, max: 500_000_000_000, default: 500_000_000 },
    "How many bytes of public data one network stores in a day; then it gets 429 `rate_limited`. 0: no limit. Not in local mode.",
  ),
  PUBLIC_BYTES_MAX: integer(
    { min: 0, default: 10_000_000_000 },
    "How many bytes of public data, with that of unclaimed agents, are stored in total; then creates, changes, notes, captures and ingests without an owner get 429 `rate_limited`. 0: no limit. Not in local mode.",
  ),
  ORGANIZATION_BYTES_MAX: integer(
    { min: 0, max: 2_000_000_000_000, default: 0 },
    "How many bytes one organization stores; then its creates, changes, notes, captures and ingests get 429 `rate_limited`. 0: no limit.",
  ),
};

/** How long data is kept. */
export const retention = {
  PUBLIC_RESOURCE_TTL_DAYS: integer(
    { min: 0, max: 36_500, default: 30 },
    "Days without a write or event after which an unclaimed public resource, or outside local mode one of an unclaimed agent, is deleted; a message that is still to be sent and an open question are kept. 0: never.",
  ),
  MESSAGE_RETENTION_DAYS: retentionDays(90, "a finished message is deleted with its attempts"),
  AUDIT_RETENTION_DAYS: retentionDays(400, "an audit event is deleted"),
  REGISTRATION_RETENTION_DAYS: retentionDays(
    90,
    "an agent registration is deleted if it was revoked, all its keys have ended, or its user never confirmed it, and with it an organization that nobody can reach any more",
  ),
  IDEMPOTENCY_RETENTION_HOURS: integer(
    { min: 24, max: 720, default: 24 },
    "Hours for which the response to a request with an `Idempotency-Key` is kept.",
  ),
};

/** How often the service may be called. */
export const rateLimits = {
  RATE_LIMIT_KEY: rateLimit(1200, "Requests a minute with one API key"),
  RATE_LIMIT_ANONYMOUS_CREATES: rateLimit(
    60,
    "Writes of any kind a minute from one address without a key",
  ),
  RATE_LIMIT_ARRIVALS: rateLimit(1200, "Requests a minute to one capture or ingest URL"),
  RATE_LIMIT_AGENT_ANONYMOUS: rateLimit(
    60,
    "Anonymous agent registrations an hour from one address",
  ),
  RATE_LIMIT_AGENT_ANONYMOUS_GLOBAL: rateLimit(
    1000,
    "Valid anonymous agent registrations an hour in total",
  ),
  RATE_LIMIT_AGENT_IDENTIFIED: rateLimit(
    60,
    "Agent registrations an hour from one address with an assertion or email address",
  ),
  RATE_LIMIT_AGENT_IDENTIFIED_GLOBAL: rateLimit(
    1000,
    "Valid agent registrations an hour by email address in total, and with an assertion by each provider",
  ),
  RATE_LIMIT_AGENT_CLAIM: rateLimit(
    30,
    "Starts of agent claims in 10 minutes from one address, and completions likewise",
  ),
  RATE_LIMIT_AGENT_REVOKE: rateLimit(60, "Revocations a minute from one address"),
};

function rateLimit(limit: number, what: string) {
  return integer({ min: 1, default: limit }, `${what}. Not counted in local mode.`);
}

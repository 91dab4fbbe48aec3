// biome-ignore-all lint/suspicious/noTemplateCurlyInString: These are parts of templates.
import { type Mutant, mutantsOf } from "../mutant";

const RULES = "prisma/migrations/1_rules/migration.sql";
const CAPTURES = "prisma/migrations/20261129150000_bounded_captures/migration.sql";
const FORWARDED_CAPTURES = "prisma/migrations/20261127153000_forward_with_capture/migration.sql";
const INSERT = "lib/resources/webhooks/events/insert-captures.ts";
const CAPTURE = "api/webhooks-capture";
const VERIFICATION = "api/webhook-verification";
const FORWARDING = "api/webhook-forwarding";
const SIGNATURES = "unit/webhook-signatures";

/** What a capture records, whose signature is valid, and what is forwarded. */
export const webhooks: readonly Mutant[] = [
  {
    name: "each endpoint moves what waits for a full inbox",
    file: "lib/resources/webhooks/forward/catch-up.ts",
    find: "if (inboxes.has(forward.inbox_id)) return 0;",
    specs: ["fault/held-forwards"],
    grep: "A round of",
  },
  ...mutantsOf({ specs: ["api/webhooks-events"] }, [
    {
      name: "a page has any number of long paths",
      file: "lib/resources/webhooks/events/pages.ts",
      find: " + octet_length(path)",
      reason: "The JSON of a page is cut at 4 MB, too. This limits what is read.",
    },
    {
      name: "a page has any number of long queries",
      file: "lib/platform/http/recorded-query.ts",
      find: "8 * octet_length(query_string)",
      replace: "0 * octet_length(query_string)",
      specs: ["api/webhooks-events", "api/inboxes-consume"],
      grep: "A page of long paths or queries|Long queries are split",
    },
    {
      name: "a search reads any number of paths",
      file: "lib/resources/webhooks/events/filter.ts",
      find: " + octet_length(path)",
      grep: "megabytes of paths or queries",
    },
    {
      name: "a search reads any number of queries",
      file: "lib/resources/webhooks/events/filter.ts",
      find: " + octet_length(query_string)",
      grep: "megabytes of paths or queries",
    },
  ]),
  {
    name: "a poll counts without a turn",
    file: "lib/resources/webhooks/events/service.ts",
    find: "wait > 0 ? () => waiting.inTurn(count) : count;",
    replace: "count;",
    specs: ["fault/searches"],
    grep: "A poll counts in a turn",
  },
  {
    name: "purged events stay on the disk when their server ends",
    file: "lib/upkeep/sweep.ts",
    find: "webhook_events: removeEvictedEvents,",
    specs: ["fault/sweep-turns"],
    grep: "had purged when it ended",
  },
  ...mutantsOf({ file: "lib/resources/webhooks/events/group-commit.ts", specs: [CAPTURE] }, [
    {
      name: "captures wait for the lock of another endpoint",
      find: "if (!isLockTimeout(error)) throw error;",
      replace: "throw error;",
      grep: "do not wait for one that is locked",
    },
    {
      name: "captures that forward into one inbox take every connection",
      find: "inTurn(inboxOf(endpointId) ?? endpointId,",
      replace: "inTurn(endpointId,",
      specs: [FORWARDING],
      grep: "however many endpoints",
    },
    {
      name: "a forward that meets a lock fails",
      find: "    whileLocked(() =>\n      inTurn(",
      replace: "    Promise.resolve().then(() =>\n      inTurn(",
      specs: [FORWARDING],
      grep: "While an endpoint is locked",
    },
  ]),
  {
    name: "a captured JSON text begins lines of an export",
    file: "lib/platform/http/json-text.ts",
    find: 'return toJson(value).replaceAll(/[\\r\\n]/g, " ");',
    replace: "return toJson(value);",
    specs: ["api/export", "api/webhooks-live"],
    grep: "A captured JSON text|Multi-line JSON",
  },
  {
    name: "a stream searches everything again after each heartbeat",
    file: "lib/resources/webhooks/events/stream.ts",
    find: "since = page.reached;",
    replace: "since = page.events.at(-1)?.id ?? page.next ?? since;",
    specs: ["fault/waiting"],
    grep: "A stream searches each event once",
  },
  ...mutantsOf({ file: CAPTURES, specs: [CAPTURE] }, [
    {
      name: "public endpoints record credentials",
      find: "CASE WHEN owner IS NULL THEN coalesce(redacted_headers[i], headers[i]) ELSE headers[i] END,\n         substring(bodies FROM body_starts[i] + 1 FOR body_lengths[i]), sizes[i]",
      replace:
        "headers[i],\n         substring(bodies FROM body_starts[i] + 1 FOR body_lengths[i]), sizes[i]",
      grep: "A public endpoint records credentials",
    },
    {
      name: "an endpoint keeps more than max_events",
      find: "IF state.event_count + stored > state.max_events THEN",
      replace: "IF false THEN",
      specs: ["api/webhooks", "api/limits-races"],
    },
    {
      name: "a capture does not lock the state",
      find: "FROM endpoint_state e WHERE e.endpoint_id = of_endpoint FOR NO KEY UPDATE;\n  is_known := FOUND;",
      replace: "FROM endpoint_state e WHERE e.endpoint_id = of_endpoint;\n  is_known := FOUND;",
      specs: ["api/limits-races"],
    },
    {
      name: "event IDs go back with the clock",
      find: "at_micros, greatest(state.last_event_micros, floor",
      replace: "at_micros, greatest(0, floor",
      specs: ["api/webhooks-events"],
      grep: "although the clock was set back",
    },
    {
      name: "a capture that was judged by outdated settings is stored",
      find: "CASE WHEN coalesce(judgement.flow_version, 0) = state.flow_version THEN event_ids[i] END",
      replace: "event_ids[i]",
      specs: [VERIFICATION],
      grep: "Settings apply to the next capture",
    },
    {
      name: "a late signature is verified",
      find: "judgement.verified AND NOT checked.is_late",
      replace: "judgement.verified",
      specs: [VERIFICATION],
      grep: "A signed time must be within",
    },
    {
      name: "the age of a signature is that of the newest event, too",
      find: "unix_now() NOT BETWEEN judgement.valid_from",
      replace: "seconds NOT BETWEEN judgement.valid_from",
      specs: [VERIFICATION],
      grep: "A signed time must be within",
    },
    {
      name: "a late signature is not told",
      find: "event_ids := event_ids[first:last] || late_ids;",
      replace: "event_ids := event_ids[first:last];",
      specs: [VERIFICATION],
      grep: "late counts as one that failed",
    },
    {
      name: "a late signature does not count as failed",
      file: INSERT,
      find: "(isLate || outcome?.verified === false)",
      replace: "outcome?.verified === false",
      specs: [VERIFICATION],
      grep: "late counts as one that failed",
    },
    {
      name: "a late signature is counted as forwarded",
      file: INSERT,
      find: 'outcome?.forward_status === "held" && !isLate',
      replace: 'outcome?.forward_status === "held"',
      specs: ["fault/storage-limits"],
      grep: "late signature is stored once",
    },
    {
      name: "a late signature is held back for ever",
      find: "CASE WHEN checked.is_late AND judgement.forward_status = 'held' THEN 'skipped'\n",
      replace: "CASE WHEN false THEN 'skipped'\n",
      specs: [FORWARDING],
      grep: "A late signature is not forwarded",
    },
    {
      name: "a public endpoint keeps any number of bytes",
      find: "OR (owner IS NULL AND state.bytes_used > public_bytes_max)",
      specs: ["fault/public-storage", "fault/storage-limits"],
    },
  ]),
  {
    name: "the age of a signature that is forwarded is that of the newest event",
    file: "prisma/migrations/20261128150000_signature_time/migration.sql",
    find: "unix_now() NOT BETWEEN judgement.valid_from",
    replace: "seconds NOT BETWEEN judgement.valid_from",
    specs: [FORWARDING],
    grep: "A late signature is not forwarded",
  },
  {
    name: "replays that were made without a key are listed",
    file: "lib/resources/webhooks/replays/history.ts",
    find: "        sql`organization_id = ${organizationOf(caller)}`,",
    replace: "        sql`organization_id IS NOT DISTINCT FROM ${organizationOf(caller)}`,",
    specs: ["api/webhooks-replay"],
    grep: "The replays of an event are listed",
  },
  {
    name: "a bulk replay of a revoked key goes on",
    file: "lib/resources/webhooks/replays/run.ts",
    find: 'if (status === "running" && is_over)',
    replace: 'if (status === "running" && is_over && false)',
    specs: ["api/webhooks-bulk-replay"],
    grep: "ends with the revocation of its key",
  },
  ...mutantsOf({ file: "lib/resources/webhooks/replays/run.ts" }, [
    {
      name: "a bulk replay outlives its endpoint",
      find: "OR NOT EXISTS (SELECT FROM webhook_endpoints WHERE id = r.endpoint_id)",
      specs: ["api/webhooks-bulk-replay"],
      grep: "Deleting an endpoint cancels",
    },
    {
      name: "a bulk replay outlives the membership of who started it",
      pages: true,
      find: "OR r.user_id IS NOT NULL AND NOT EXISTS (SELECT FROM members",
      replace: "OR false AND NOT EXISTS (SELECT FROM members",
      specs: ["api/webhooks-bulk-replay"],
      grep: "ends with the membership",
    },
    {
      name: "a bulk replay that is too slow ends the round",
      find: "if (isDatabaseGone(error)) throw error;",
      replace: "if (isDatabaseDown(error)) throw error;",
      specs: ["fault/webhooks-replay-room"],
      grep: "leave the rounds to the others",
    },
    {
      name: "a bulk replay that is too slow fails in every round",
      find: "if (begun < (retryAt.get(id) ?? 0)) return false;",
      specs: ["fault/webhooks-replay-room"],
      grep: "leave the rounds to the others",
    },
    {
      name: "a bulk replay goes on without storage left",
      find: " || isStorageFull(replay.organization_id, null)",
      specs: ["fault/storage-limits"],
      grep: "its bulk replay and pushes wait",
    },
    {
      name: "a bulk replay of a deleted organization goes on",
      find: " AND NOT ${isDeleted(sql`r.organization_id`)}",
      specs: ["fault/organization-removal"],
      grep: "runs, is sent or is shown",
    },
  ]),
  {
    name: "a bulk replay ends with the rotation of its key",
    file: "lib/identity/keys/live-key.ts",
    find: "AND one.revoked_at IS NOT NULL)))",
    replace: "AND coalesce(one.revoked_at, one.expires_at) IS NOT NULL)))",
    specs: ["api/webhooks-bulk-replay"],
    grep: "ends with the revocation of its key",
  },
  {
    name: "a bulk replay outlives the revocation of its agent",
    file: "lib/identity/keys/live-key.ts",
    find: "WHERE own.id = ${id} AND agent.revoked_at IS NULL AND",
    replace: "WHERE own.id = ${id} AND",
    specs: ["api/agent-auth-revoke"],
    grep: "cancels a bulk replay",
  },
  {
    name: "a bulk replay outlives the revocation of a key that has expired",
    file: "lib/identity/keys/end-keys.ts",
    find: " OR id = ${named})",
    replace: ")",
    pages: true,
    specs: ["api/webhooks-bulk-replay"],
    grep: "ends with the revocation of its key",
  },
  ...mutantsOf({ file: FORWARDED_CAPTURES, specs: [CAPTURE] }, [
    {
      name: "IDs of forwarded events go back with the clock",
      find: "micros := greatest(endpoint.last_event_micros, floor",
      replace: "micros := greatest(0, floor",
      specs: ["api/webhooks-events"],
      grep: "although the clock was set back",
    },
    {
      name: "a late signature is forwarded",
      find: "WHERE NOT coalesce(judgement.verified AND",
      replace: "WHERE true OR coalesce(judgement.verified AND",
      specs: [FORWARDING],
      grep: "A late signature is not forwarded",
    },
    {
      name: "a capture that was judged by outdated settings is forwarded",
      find: "judgement.flow_version = endpoint.flow_version AND",
      specs: [FORWARDING],
      grep: "as it is, not as an earlier capture found it",
    },
    {
      name: "a capture is forwarded to an inbox of another owner",
      find: "IF FOUND AND inbox.organization_id IS NOT DISTINCT FROM endpoint.organization_id THEN",
      replace: "IF FOUND THEN",
      specs: [FORWARDING],
      grep: "only one of endpoint and inbox is claimed",
    },
    {
      name: "a capture does not lock the inbox whose owner it checks",
      find: "WHERE i.inbox_id = forward.inbox_id FOR NO KEY UPDATE;",
      replace: "WHERE i.inbox_id = forward.inbox_id;",
      specs: [FORWARDING],
      grep: "waits for the claim of its inbox",
    },
    {
      name: "a capture overtakes held events",
      find: "AND endpoint.obstacle IS NULL AND NOT EXISTS (\n    SELECT FROM webhook_events v\n    WHERE",
      replace:
        "AND endpoint.obstacle IS NULL AND NOT EXISTS (\n    SELECT FROM webhook_events v\n    WHERE false AND",
      specs: [FORWARDING],
      grep: "does not overtake held events",
    },
    {
      name: "an event is marked as another of its batch",
      find: "forwarded_ids[due.places[n]] := stored.id;",
      replace: "forwarded_ids[n] := stored.id;",
      specs: [FORWARDING],
      grep: "In one burst",
    },
    {
      name: "what a full inbox refuses is not held back",
      find: "is_left := is_left OR stored.id IS NULL;",
      specs: [FORWARDING],
      grep: "does not overtake held events",
    },
  ]),
  ...mutantsOf({ file: "lib/platform/http/recorded-headers.ts", specs: [CAPTURE] }, [
    {
      name: "our own keys are recorded",
      find: "MAY_BE_OURS.test(value) ? value.replace(OUR_SECRET, REDACTED) : value",
      replace: "value",
      grep: "except our own keys and sessions",
    },
    {
      name: "our own sessions are recorded",
      find: 'name === "cookie" ? withoutTokens.replace(OUR_SESSION, `$1${REDACTED}`) : withoutTokens',
      replace: "withoutTokens",
      grep: "except our own keys and sessions",
    },
    {
      name: "any number of headers is recorded",
      find: "if (recorded.size === RECORDED_HEADERS_MAX) {",
      replace: "if (recorded.size === 1e6) {",
      grep: "The first 500 headers",
      reason:
        "A read of the event also stops at 500 headers, and a request carries at most 64 KiB of them.",
    },
    {
      name: "many headers hide the origin",
      find: 'if (name !== "origin") continue;',
      replace: "continue;",
      grep: "The first 500 headers",
    },
    {
      name: "headers of a proxy are recorded",
      find: "if (ADDED_BY_PROXIES.test(name) && (request.viaProxy ?? true)) continue;",
      grep: "Headers added by a trusted proxy",
    },
    {
      name: "cookies are no credentials",
      find: '"proxy-authorization", "cookie"]',
      replace: '"proxy-authorization"]',
      grep: "A public endpoint records credentials",
    },
  ]),
  {
    name: "a text that was cut inside a character is binary",
    file: "lib/platform/bodies/whole-characters.ts",
    find: "first !== -1 && isUtf8(whole) ? whole : bytes",
    replace: "bytes",
    specs: [CAPTURE],
    grep: "ends with a whole character",
  },
  ...mutantsOf({ file: "lib/platform/http/recorded-body.ts", specs: [CAPTURE] }, [
    {
      name: "JSON of any depth is parsed",
      find: "if (!outline || outline.depth > DEPTH_MAX) return null;",
      replace: "if (!outline) return null;",
      grep: "A hostile body is captured|parsed_body is the JSON",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/webhooks/verification/verify.ts", specs: [SIGNATURES] }, [
    {
      name: "any signature is valid",
      find: "timingSafeEqual(signature, expected)",
      replace: "signature.length === expected.length",
    },
    {
      name: "a cut body is verified",
      find: 'if (request.isTruncated) return failed("body_truncated");',
      specs: [VERIFICATION],
      grep: "A body that was cut off",
    },
    {
      name: "a signature needs no time",
      find: 'if (signed.time === null) return failed("timestamp_missing");',
    },
    {
      name: "a time may be any text",
      find: "signed.time !== undefined && !UNIX_SECONDS.test(signed.time)",
      replace: "false",
    },
    {
      name: "the signed prefix is not signed",
      find: ".update(prefix);",
      replace: '.update("");',
    },
    {
      name: "a previous secret is valid without end",
      find: "return match.until !== null && match.until < end",
      replace: "return match.until !== null && match.until < 0",
    },
    {
      name: "a signature without a time is valid without end",
      find: 'return valid({ from: null, until: match.until, late: "signature_mismatch" });',
      replace: 'return valid({ from: null, until: null, late: "signature_mismatch" });',
    },
    {
      name: "a signature is valid for ten times the tolerance",
      find: "[time - toleranceSeconds, time + toleranceSeconds]",
      replace: "[time - toleranceSeconds * 10, time + toleranceSeconds * 10]",
    },
    {
      name: "a signature of another length is compared",
      find: "return bytes.length === HMAC_BYTES ? bytes : undefined;",
      replace: "return bytes;",
      reason: "The pattern of the encoding allows exactly 32 bytes.",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/webhooks/verification/schemes.ts", specs: [SIGNATURES] }, [
    {
      name: "a repeated time of Stripe is taken",
      find: "const time = times.length === 1 ? (times[0] ?? null) : null;",
      replace: "const time = times[0] ?? null;",
    },
    {
      name: "a signature of another version of Stripe is taken",
      find: 'valuesOf(value, "v1"), prefix: `${time}.`',
      replace: 'valuesOf(value, "v0"), prefix: `${time}.`',
    },
    {
      name: "Slack's time is not signed",
      find: "prefix: `v0:${time}:`",
      replace: "prefix: `v0:`",
    },
    {
      name: "the ID of Standard Webhooks is not signed",
      find: 'const prefix = `${get("webhook-id") ?? ""}.${time}.`;',
      replace: "const prefix = `${time}.`;",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/webhooks/flow.ts", specs: [FORWARDING] }, [
    {
      name: "unverified captures are forwarded",
      find: 'if (verification?.verified === false) return skipped("not_verified");',
      grep: "Events that fail verification",
    },
    {
      name: "long bodies are parsed however many values they have",
      find: "outline !== undefined && outline.values > LONG_JSON_VALUES_MAX",
      replace: "false",
      grep: "Conditions on a long body",
    },
    {
      name: "a forward that comes back is forwarded",
      find: 'if (request.header(FORWARDED_HEADER) !== null) return skipped("loop");',
      specs: ["api/webhook-forwarding-urls"],
      grep: "A forwarded event that comes back",
    },
    {
      name: "a dot at the end of our host's name makes it another host",
      file: "lib/platform/http/own-origin.ts",
      find: '.replace(/\\.(?=(:\\d+)?$)/, "")',
      specs: ["api/webhook-forwarding-urls"],
      grep: "A dot at the end of our host's name",
    },
    {
      name: "captures of any method are forwarded",
      find: 'if (methods && !methods.includes(request.method)) return skipped("other_method");',
      grep: "methods and match choose",
    },
    {
      name: "captures that do not match are forwarded",
      find: "if (match && !matches(match,",
      replace: "if (false && !matches(match ?? {},",
      grep: "methods and match choose",
    },
  ]),
  ...mutantsOf({ file: CAPTURES, specs: [FORWARDING] }, [
    {
      name: "events are forwarded to an inbox of another owner",
      find: "IF inbox.organization_id IS DISTINCT FROM endpoint.organization_id THEN",
      replace: "IF false THEN",
      grep: "only one of endpoint and inbox is claimed",
    },
    {
      name: "an event that has gone is forwarded later",
      find: "v.id > coalesce(after, endpoint.gone_up_to)\n      ORDER BY v.id LIMIT 201",
      replace: "v.id > coalesce(after, '')\n      ORDER BY v.id LIMIT 201",
      grep: "pushes out while it is held",
    },
    {
      name: "held bytes are counted as integers",
      find: "sum(length(v.body)) OVER upto - length(v.body) AS start,",
      replace: "(sum(length(v.body)) OVER upto - length(v.body))::INTEGER AS start,",
      grep: "more held bytes than an integer",
    },
  ]),
  ...mutantsOf({ file: CAPTURES, specs: [FORWARDING], grep: "only once there is room" }, [
    {
      name: "each capture reads what waits for an inbox with too many events",
      find: " AND inbox.has_place\n",
      replace: "\n",
    },
    {
      name: "each capture reads what waits for an inbox with too many bytes",
      find: "inbox.bytes_used + oldest.weight + 300 <= public_bytes_max",
      replace: "true",
    },
    {
      name: "an event that was not read is forwarded empty",
      find: "CASE WHEN is_open THEN public_bytes_max ELSE 0 END",
      replace: "public_bytes_max",
      reason: "Only if the oldest one is too large and a duplicate, and the next is smaller.",
    },
  ]),
  ...mutantsOf({ file: RULES }, [
    {
      name: "an end in an inbox is recorded for another owner",
      find: "AND e.organization_id IS NOT DISTINCT FROM of_owner;",
      replace: ";",
      specs: ["api/webhook-follow"],
      grep: "another organization has claimed",
    },
  ]),
  ...mutantsOf(
    { file: "lib/resources/webhooks/forward/to-url.ts", specs: ["api/webhook-forwarding-urls"] },
    [
      {
        name: "two dispatches send one held event",
        find: "WHERE e.id = ${endpointId} FOR NO KEY UPDATE OF e, state`",
        replace: "WHERE e.id = ${endpointId}`",
        specs: ["fault/webhook-forwarding-kill", "api/webhook-forwarding-urls"],
      },
      {
        name: "a public endpoint has any number of unfinished messages",
        file: "lib/resources/messages/enqueue.ts",
        find: "owner === null ? PUBLIC_PENDING_MAX : PENDING_MAX",
        replace: "PENDING_MAX",
        grep: "Events wait while a public endpoint",
      },
      {
        name: "a capture of a foreign page is forwarded to this machine",
        find: "public_only: target.public_only || isForeign,",
        replace: "public_only: target.public_only,",
        grep: "A foreign web page cannot forward",
      },
      {
        name: "the message of an event outlives its deletion",
        file: "lib/resources/webhooks/events/service.ts",
        find: 'if (forwarded?.startsWith("msg_")) await removeEndedForwards([forwarded]);',
        grep: "An ended message is deleted",
      },
    ],
  ),
  {
    name: "the client repeats a capture whose response was lost",
    file: "packages/client/src/connection.ts",
    find: "if (isUnkeyed(path)) return false;",
    specs: ["api/client"],
    grep: "not safe to repeat",
  },
  {
    name: "the client repeats a deletion of all events whose response was lost",
    file: "packages/client/src/connection.ts",
    find: 'if (method === "DELETE" && /\\/(events|share)(\\?|$)/.test(path)) return false;',
    specs: ["api/client"],
    grep: "not safe to repeat",
  },
  {
    name: "the client's timers alone tell when a lease ends",
    file: "packages/client/src/lease.ts",
    find: "performance.now() < until && Date.now() < endsAt",
    replace: "performance.now() < until",
    specs: ["unit/client-lease"],
  },
  {
    name: "the client does not wait for the next minute",
    file: "packages/client/src/send.ts",
    find: "const RETRY_AFTER_SECONDS_MAX = 120;",
    replace: "const RETRY_AFTER_SECONDS_MAX = 60;",
    specs: ["api/client"],
    grep: "An attempt ends at its time limit",
  },
  ...mutantsOf({ specs: ["api/cli-login"] }, [
    {
      name: "a sign-in that nobody has stored goes on",
      file: "packages/client/src/cli/commands/login.ts",
      find: "await endSignIn(stored);",
      grep: "cannot be stored",
    },
    {
      name: "a command tries for ever to renew its sign-in",
      file: "packages/client/src/cli/context.ts",
      find: 'throw new ApiError(messageOf(error), { status: 400, code: "failure" });',
      replace: "throw new Error(messageOf(error));",
      grep: "cannot be renewed",
    },
  ]),
  ...mutantsOf(
    {
      file: "prisma/migrations/20261127190000_evict_with_update/migration.sql",
      specs: ["api/webhooks"],
    },
    [
      {
        name: "a lower max_events takes effect only at the next capture",
        find: "IF endpoint.is_lowered THEN",
        replace: "IF false THEN",
        grep: "from its commit on",
      },
    ],
  ),
];

import { config } from "@/lib/platform/config/config";
import { wordList } from "@/lib/platform/http/issue-message";
import type { Operation } from "@/lib/platform/http/operation";
import { kinds } from "@/lib/resources/kinds";
import { DELAYS_SECONDS } from "@/lib/resources/messages/retry";
import { limitAt } from "@/lib/upkeep/limits/service";
import { UNSHARED_LENGTH } from "./run-operation";
import { tagOf, tags } from "./tags";

/** The Markdown of `/llms.txt` (llmstxt.org), enough for a language model to use the service. */
export function llmsText(operations: readonly Operation[]): string {
  const { baseUrl } = config();
  const repeatHours = limitAt("retention.idempotency_key_seconds") / 3600;
  return `# Agent Infrastructure

> Tasks, webhook capture URLs, documents, delayed HTTP requests and durable inboxes for AI agents. Base URL: ${baseUrl}. You can start without an account.

## Rules

- Send JSON, get JSON. Unknown properties and query parameters get 400; the message lists the names.
- Times are Unix seconds: 1798761600 is the start of 2027.
- **Without a key** a resource is public: anyone who knows its ID can read and change it, and it is not listed. Keep its \`id\`. For your user: \`view_url\` shows the resource until a claim (a task takes notes there), and \`claim_link\` claims it. Send the first \`claim_token\` as \`Claim-With\` with every later create, up to ${limitAt("sizes.resources_per_claim_token_max")}: the first \`claim_link\` then claims all of it. Send it with changes, too: share links, forwards and verifications made without it end at the claim (\`survives_claim\` says so), and schedules and messages changed without it stop. With a key, \`POST /api/claims {"claim_token"}\` does the same, and with \`"dry_run": true\` only lists it.
- **With a key** (\`Authorization: Bearer svc_live_…\`), a resource belongs to your organization. [auth.md](${baseUrl}/auth.md) gets you a key of your own: \`POST /api/agent/auth {"type": "anonymous"}\` returns it as \`credential\`. Until your user tells you a code from an email, the key can only read, follow changes, and claim what you created without it. It cannot change or delete anything, not even what it has claimed: writes get 403. \`GET /api/me\` shows its scopes and expiry.
- Every POST that changes something takes an \`Idempotency-Key\` header: for ${repeatHours} hours the same key and body return the same response, with \`Idempotency-Replayed: true\`. Send a new UUID with each call you may retry (on a public server without an API key, at least ${UNSHARED_LENGTH} characters).
- \`POST /api/batch {"operations": [{"method": "POST", "path": "/api/tasks", "body": {…}}]}\` runs up to ${limitAt("fields.batch.operations.max_items")} creates and deletes (\`DELETE\`, \`/api/tasks/tsk_…\`) and returns \`{"data": [{"status", "id", "error"}]}\`.
- \`Prefer: return=minimal\` leaves an artifact's \`content\` and an event's body and headers out of the response to a write.
- A read of one resource has an \`ETag\`. Send it as \`If-Match\` with PATCH or DELETE; 412: it has changed. PATCH returns the new \`ETag\`.
- Lists are newest first, inbox events and changes oldest first: \`{"data": […], "has_more", "next_cursor"}\`. Send \`limit\` (1 to ${limitAt("lists.limit_max")}, default ${limitAt("lists.limit_default")}) and \`after=<next_cursor>\`. Without a key, lists of resources are empty.
- Errors are \`{"error": {"type", "code", "message", "param", "doc_url", "request_id"}}\`. Branch on \`code\`; \`message\` says what is allowed. After 429 and 503, wait \`Retry-After\` seconds.
- With an \`external_id\` of your own, find a resource again (with a key): \`GET /api/tasks?external_id=report-7\`. It is not unique. With a key that writes, \`PUT /api/tasks/external/report-7\` with a create body creates the resource (201) or updates the given fields (200), for every kind; 409 lists the IDs if several have it.

## Tasks

    curl ${baseUrl}/api/tasks -d '{"name": "Write the report", "priority": "high", "due_at": 1798761600, "labels": ["reports"]}'

Fields: \`name\` (required), \`description\`, \`priority\` (low, medium, high, critical; default low), \`due_at\`, \`labels\`, \`external_id\`. A task has no status field: use the labels \`in-progress\` and \`done\`. Lease the next one, which needs a key that writes:

    POST /api/tasks/lease-next   {"holder": "worker-1", "labels": ["reports"], "wait_seconds": ${limitAt("waits.task_lease_next_wait_seconds_max")}}
    → {"task": {"id": "tsk_…"}, "lease": {"lease_id": "lse_…", "fencing_token": 7, "expires_at": 1798762500}}
    POST /api/tasks/{id}/complete {"lease_id": "lse_…", "note": "Published."}   or, to give it back:
    DELETE /api/tasks/{id}/lease  {"lease_id": "lse_…"}

Or lease a task by its ID, with or without a key: \`POST /api/tasks/{id}/lease {"holder": "worker-1"}\`. With its \`lease_id\` the same call renews it.

\`lease-next\` leases the most urgent free task, excluding those labelled \`done\` or blocked; both fields are null when there is none. A lease lasts ${limitAt("retention.task_lease_seconds_default")} seconds (\`lease_seconds\`, ${range("task_lease.lease_seconds")}). 409 \`lease_held\` names the holder. Leases are advisory: pass the increasing \`fencing_token\` to the systems you write to. Completing adds \`done\`, removes \`in-progress\`, releases the lease, and may be repeated. \`PUT /api/tasks/{id}/blockers/{blockerId}\` keeps a task from \`lease-next\`, and from nothing else, until another is done; \`POST /api/tasks/{id}/notes {"body"}\` adds a note. Open tasks (with a key): \`GET /api/tasks?not_label=done\`; also \`blocked\`, \`label\`, \`priority\`, \`due_before\`, \`due_after\`, \`q\`.

## Webhooks

    curl ${baseUrl}/api/webhooks -d '{"name": "Pushes", "max_events": ${limitAt("retention.webhook_max_events_default")}}'

Give the \`url\` of the response to the sender: every request to it, or below, is stored byte for byte and gets 200. Wait instead of polling:

    GET /api/webhooks/{id}/events?since=wev_0&wait=${limitAt("waits.webhook_events_wait_seconds_max")}   → newer events, oldest first
    GET /api/webhooks/{id}/events/stream                → the same as server-sent events
    PUT /api/webhooks/{id}/verification {"scheme": "github", "secret": "…"}
    PUT /api/webhooks/{id}/forward      {"inbox_id": "inbox_…", "match": {"x-github-event": "push"}}

An event has \`method\`, \`path\`, \`headers\` (lower case), \`body\`, \`parsed_body\`, \`query_params\`, \`received_at\`. Filters: \`method=\`, \`q=\`, \`header=\`. The newest \`max_events\` (${range("webhook_create.max_events")}) are kept. A public endpoint redacts \`authorization\` and \`cookie\`. \`POST …/events/{eventId}/replay {"url"}\` replays it at once. With a verification, events have \`verified\`; a forward sends those that pass to an inbox or \`url\`, and \`forward\` says where.

## Artifacts

    curl '${baseUrl}/api/artifacts?share=true' -d '{"name": "Report", "content": "# Report"}'

Fields: \`name\`, \`content\` (up to ${limitAt("fields.artifact_create.content.max_characters")} characters), \`format\` (markdown or html; default markdown), \`external_id\`. \`share_url\` in the response is a page for anyone. It survives a claim. To restore a version, PATCH its content. More links: \`POST /api/artifacts/{id}/share {"expires_in", "claim_token"}\`; without the token, a claim ends them. \`GET …/raw\` returns the content, \`…/versions\` lists the versions, the current one first.

## Messages

    curl ${baseUrl}/api/messages -d '{"url": "https://example.com/hook", "method": "POST", "body": "{\\"hello\\": 1}", "delay_seconds": 60}'

Fields: \`url\` (required), \`scheduled_at\` or \`delay_seconds\` (one is required; a delay is at most ${limitAt("fields.message_create.delay_seconds.maximum")}, and \`scheduled_at\` takes precedence), \`method\` (default POST), \`headers\`, \`body\` (a string), \`external_id\`. It is sent within ${sentWithin()} of its due time. \`status\` is scheduled, delivering, delivered, failed or canceled; \`overdue\`: nothing is being sent, and /api/health says why. Network errors, timeouts (${limitAt("deliveries.timeout_seconds")} seconds), 408, 425, 429 and 5xx are retried, after ${minutes(DELAYS_SECONDS)} minutes, ${limitAt("deliveries.attempts_max")} attempts in all; other 4xx fail at once; the target's \`Retry-After\` is honoured. Delivery is at least once. Private addresses are refused, except loopback in local mode.

    PATCH /api/messages/{id}        {"delay_seconds": 600}   while scheduled
    GET   /api/messages/{id}?wait=${limitAt("waits.message_wait_seconds_max")}     answers when it has ended
    POST  /api/messages/{id}/cancel
    POST  /api/messages/{id}/retry                           failed, canceled or held: due now
    GET   /api/messages/{id}/attempts                        what the target returned

Each request is signed (Standard Webhooks) over \`<webhook-id>.<webhook-timestamp>.<body>\`. A message of an organization has \`v1,<base64>\`, HMAC-SHA256 with the secret of \`GET /api/signing-secret\`, and \`v1a,<base64>\`, Ed25519 with the organization's own key: \`/.well-known/webhook-signing-keys.json?organization=org_…\` (public). Verify one of the two. A message without an owner has a \`v1a\` of the server's key only, which proves nothing about its sender. \`webhook-id\` is the same on each attempt: use it to deduplicate. It is the message ID if the message was created with a key, else \`sha256_\` and its digest.

## Inboxes

    curl ${baseUrl}/api/inboxes -d '{"name": "Orders", "default_ttl_seconds": ${limitAt("inboxes.ttl_seconds_default")}, "max_events": ${limitAt("inboxes.max_events_default")}}'

Anyone can send events, any bytes, to \`ingest_url\` without a key: \`POST /api/inboxes/{id}/events\` with \`?delay_seconds=\`, \`?ttl_seconds=\` (also a member \`ttl_seconds\` of a JSON body) or \`?dedup_id=\`, which adds an event once while the first is pending; an \`Idempotency-Key\` does so for ${repeatHours} hours. Consume with a lease:

    POST /api/inboxes/{id}/events/receive {"limit": 10, "lease_seconds": ${limitAt("inboxes.lease_seconds_default")}, "wait_seconds": ${limitAt("waits.inbox_receive_wait_seconds_max")}}
    → {"data": [{"id": "iev_…", "lease_id": "lse_…", "parsed_body": {…}, "delivery_count": 1}]}
    POST /api/inboxes/{id}/events/{eventId}/ack    {"lease_id": "lse_…"}
    POST /api/inboxes/{id}/events/{eventId}/nack   {"lease_id": "lse_…", "delay_seconds": 30, "error": "why"}
    POST /api/inboxes/{id}/events/{eventId}/extend {"lease_id": "lse_…", "lease_seconds": 120}
    POST /api/inboxes/{id}/events/ack              {"acks": [{"event_id": "iev_…", "lease_id": "lse_…"}], "nacks": []}   up to ${limitAt("fields.inbox_settle.acks.max_items")} each

An unacknowledged event is redelivered when its lease expires. After ${limitAt("inboxes.deliveries_before_dead")} deliveries, or a nack with \`"dead": true\`, it is dead: kept until its TTL, listed by \`?state=dead\`, made ready by \`…/events/redrive\`. 409 \`lease_lost\`: it is no longer yours. \`POST …/events/{eventId}/reply?lease_id=lse_…\` stores its body for the sender and acknowledges; the sender GETs it with \`?wait=${limitAt("waits.inbox_reply_wait_seconds_max")}\` at the \`Reply-Url\` header of the send (204: not yet; a forwarded webhook has none). A full inbox returns 429 \`inbox_full\`.

## Schedules

    curl ${baseUrl}/api/schedules -d '{"cron": "0 9 * * MON-FRI", "timezone": "Europe/Berlin", "target": {"task": {"name": "Write the report"}}}'

Or \`every_seconds\` (${limitAt("fields.schedule_create.every_seconds.minimum")} or more). The \`target\` is one of \`task\`, \`message\` (their create bodies) and \`inbox_event\` (\`{"inbox_id", "body"}\`). Also \`starts_at\`, \`ends_at\`, \`paused\`, \`catch_up\`.

## Questions

    curl ${baseUrl}/api/questions -d '{"prompt": "Deploy version 2?", "kind": "approve"}'

A person answers at \`answer_url\`. \`kind\`: approve, choice (\`options\`: \`[{"id", "label"}]\`), text or form (\`form\`: a flat JSON Schema). \`GET /api/questions/{id}?wait=${limitAt("waits.question_wait_seconds_max")}\` returns once \`state\` is not open; \`answer\`: approve, deny, option \`id\`, text or values. Also \`context\` (Markdown), \`reply_to\` (\`{"inbox_id"}\`). It can block a task.

## Changes

With a key, \`GET /api/changes?wait=${limitAt("waits.changes_wait_seconds_max")}\` lists what happened to your resources, oldest first: \`{"kind": "tasks", "action": "completed", "resource_id", "actor"}\`. Send \`next_cursor\` as \`after\`; \`after=latest\` starts now; \`GET /api/changes/stream?after=…\` streams them. With a key that writes, \`POST /api/subscriptions {"inbox_id" or "url", "kinds", "actions"}\` pushes it as \`{"type": "tasks.completed", "data": {…}}\`.

## Limits

\`GET /api/limits\` has the limits as JSON. A request body has at most ${limitAt("sizes.request_body_bytes_max")} bytes; of tasks, artifacts, messages and schedules ${limitAt("sizes.message_request_body_bytes_max")}. Captured bodies are cut at ${limitAt("sizes.captured_body_bytes_kept")} bytes, larger ingested ones rejected. On a public server (\`rates.enforced\`): ${limitAt("rates.requests_per_key.limit")} requests a minute with a key, ${limitAt("rates.writes_without_key_per_network.limit")} writes a minute without one. \`wait\` is at most ${limitAt("waits.changes_wait_seconds_max")} seconds, \`wait_seconds\` ${limitAt("waits.inbox_receive_wait_seconds_max")}. ${keptPublic()}

The service emails only its users, receives no email, and stores only Markdown, HTML and the bodies sent to it.

## All paths

Each kind (${kinds.map(({ name }) => name).join(", ")}) has \`/api/{kind}\` GET POST, \`/api/{kind}/{id}\` GET PATCH DELETE and \`/api/{kind}/external/{external_id}\` PUT.

${tags.map(({ name }) => paths(name, operations)).join("")}
## Documents

- MCP server: ${baseUrl}/mcp (streamable HTTP). The same as tools and MCP Events, with or without a key.
- \`npm install ${baseUrl}/client.tgz\`: a TypeScript client and the command line \`agent-infra\`.
- [OpenAPI 3.1](${baseUrl}/openapi.json). Of one tag: /openapi/tasks.json.
- [Documentation](${baseUrl}/docs/index.md): every page as Markdown, such as /docs/errors.md.
- [All of it](${baseUrl}/llms-full.txt) as one text.
- [Health](${baseUrl}/api/health): \`ok\`, or \`degraded\` with a reason.
`;
}

/** The bounds of a property in a body, such as `1 to 10000`. */
function range(property: string): string {
  return `${limitAt(`fields.${property}.minimum`)} to ${limitAt(`fields.${property}.maximum`)}`;
}

/** How long public resources are kept. */
function keptPublic(): string {
  const days = limitAt("retention.unclaimed_public_resource_days");
  return days === 0
    ? "Public resources are kept until somebody deletes them."
    : `Public resources are deleted after ${days} days without a write or event, except unsent messages and open questions.`;
}

/** How late a message may be: the interval of the dispatches, and the wait before each takes it. */
function sentWithin(): string {
  const { onVercel, dispatchIntervalSeconds: interval } = config();
  return onVercel || interval === 0 ? "about a minute" : `about ${2 * interval} seconds`;
}

/** Whether every kind of resource has this operation. */
function isCommon({ path }: Operation): boolean {
  return kinds.some(({ name }) =>
    [`/api/${name}`, `/api/${name}/{id}`, `/api/${name}/external/{external_id}`].includes(path),
  );
}

function minutes(seconds: readonly number[]): string {
  const delays = seconds.map((delay) => String(delay / 60));
  return wordList(delays, "and");
}

/** The paths of one tag with their methods, if agents call them by hand: one line for all below a resource. */
function paths(tag: string, operations: readonly Operation[]): string {
  if (["OAuth", "Discovery", "Operators"].includes(tag)) return "";
  const methods = new Map<string, string[]>();
  for (const operation of operations) {
    const isPage = operation.path.startsWith("/a/") || operation.success.status === 303;
    if (tagOf(operation) !== tag || isPage || isCommon(operation)) continue;
    methods.set(operation.path, [...(methods.get(operation.path) ?? []), operation.method]);
  }
  const lines = new Map<string, string[]>();
  for (const [path, names] of methods) {
    const [, resource = "", rest = ""] = /^(\/api\/\w+\/\{id\})(\/.+)$/.exec(path) ?? [];
    const start = resource ? `\`${resource}\`:` : `\`${path}\``;
    const listed = [rest && `\`${rest}\``, ...names].filter(Boolean).join(" ");
    lines.set(start, [...(lines.get(start) ?? []), listed]);
  }
  return [...lines].map(([start, listed]) => `- ${start} ${listed.join(", ")}\n`).join("");
}

import type { ErrorCode } from "@/lib/platform/errors";
import { signInErrorTexts } from "./sign-in-error-codes";

/** What a code means, and what a caller should do about it. Both are Markdown. */
interface ErrorText {
  meaning: string;
  remedy: string;
}

/** Every code, in the order of the errors page. */
export const errorTexts: Record<ErrorCode, ErrorText> = {
  invalid_json: {
    meaning: "The body is not a JSON object in UTF-8.",
    remedy:
      "Send one JSON object. The message says where it is wrong. In a shell, put the body in single quotes.",
  },
  unknown_param: {
    meaning: "The body has an unknown property, or the query an unknown parameter.",
    remedy: "`param` names it, and the message lists those that exist. Check the spelling.",
  },
  missing_required_param: {
    meaning: "A required property or parameter is absent.",
    remedy: "Add the one that `param` names.",
  },
  invalid_param: {
    meaning: "A value has the wrong type, is out of range or is not allowed in this state.",
    remedy: "`param` names the value, and the message says what is allowed.",
  },
  resource_already_claimed: {
    meaning:
      "An organization owns the resource, or what the token claims: yours or another one. New resources can no longer join it with `Claim-With`.",
    remedy: "Read the resource with your key. If that is 403, another organization owns it.",
  },
  resource_not_claimable: {
    meaning: "The artifact was created with a key, so it has no claim token.",
    remedy: "Omit `claim_token`.",
  },
  message_not_editable: {
    meaning: "Only a message that is `scheduled` can be changed.",
    remedy: "Read its `status`. Cancel it or create another message.",
  },
  message_not_cancelable: {
    meaning: "Only a message that is `scheduled`, or waits for its next attempt, can be canceled.",
    remedy: "Read its `status`: it is being delivered, or has ended.",
  },
  message_not_retryable: {
    meaning: "Only a message that is `failed`, `canceled` or `held` can be retried.",
    remedy: "Read its `status`. To send a delivered message again, create another one.",
  },
  url_not_allowed: {
    meaning: "The service does not send to this URL.",
    remedy:
      "Use a public http or https address without credentials in it. Private networks are refused unless the operator allows them (`DELIVERY_ALLOW_CIDRS`); in local mode loopback is open.",
  },
  header_not_allowed: {
    meaning: "The service sets this header itself, or its name or value is not valid HTTP.",
    remedy: "Remove the header that `param` names.",
  },
  unauthorized: {
    meaning: "The call needs a key, and none was sent.",
    remedy:
      "Send `Authorization: Bearer svc_live_…`. `WWW-Authenticate` points agents to how they can [get a key](/docs/agent-auth.md).",
  },
  invalid_api_key: {
    meaning: "The key is invalid, expired or revoked, or was sent in the wrong place.",
    remedy:
      "Only the `Authorization` header is read. Make a new key in the dashboard, or [register again](/docs/agent-auth.md).",
  },
  forbidden: {
    meaning: "The resource belongs to another organization, or this credential may not do this.",
    remedy: "Use a key of the organization that owns the resource. `GET /api/me` shows yours.",
  },
  insufficient_scope: {
    meaning: "The key lacks the scope of the call: `api.read` or `api.write`.",
    remedy:
      "Use a key with the scope. An agent gets `api.write` when its user [claims the registration](/docs/agent-auth.md).",
  },
  invalid_claim_token: {
    meaning: "The claim token does not match this resource, or claims nothing.",
    remedy: "Use the `claim_token` of the response that created it. It is shown once.",
  },
  invalid_answer_token: {
    meaning: "The token does not belong to the link of this question.",
    remedy: "Copy the whole `answer_url`: its end, after `#`, is the token. It is shown once.",
  },
  resource_not_found: {
    meaning: "No resource has this ID, or it was deleted or has expired.",
    remedy:
      "IDs are case-sensitive. Unclaimed public resources are deleted after a time without a write or event.",
  },
  route_not_found: {
    meaning: "There is no such path.",
    remedy: "[The reference](/docs/reference.md) lists every path.",
  },
  method_not_allowed: {
    meaning: "The path exists, but not with this method.",
    remedy: "The `Allow` header lists the methods.",
  },
  lease_lost: {
    meaning:
      "The lease has ended: another worker has taken the task or event since, or it was given back.",
    remedy:
      "Stop the work and discard its result: another worker may be doing it. Next time, take a longer lease or extend it in time.",
  },
  blocker_cycle: {
    meaning: "The task would wait for itself, through its blockers.",
    remedy:
      "Omit this blocker, or first remove one of the blockers that lead from the other task back to this one.",
  },
  question_answered: {
    meaning: "Somebody has answered the question. The message says who and when.",
    remedy: "Read the answer. It is final; ask another question if you need another answer.",
  },
  question_closed: {
    meaning: "The question has expired or was withdrawn.",
    remedy: "Ask again, with a longer `expires_in` if nobody had the time to answer.",
  },
  secret_already_rotated: {
    meaning: "The signing secret was rotated less than 24 hours ago, and both secrets sign.",
    remedy:
      "`GET /api/signing-secret` shows the new secret, and when the old one ends. Rotate again after that.",
  },
  old_key_still_valid: {
    meaning: "The key replaced another one by rotation, and that one still works.",
    remedy:
      "Rotate again after `Retry-After` seconds. If a key leaked, revoke it: that ends both keys.",
  },
  lease_held: {
    meaning: "Another worker holds the task.",
    remedy:
      "Take another task with `lease-next`, or wait `Retry-After` seconds. If the lease is yours, send its `lease_id` to renew it.",
  },
  external_id_ambiguous: {
    meaning: "Several of your resources have this external ID.",
    remedy: "The message lists their IDs. Update one of them by its ID.",
  },
  idempotency_in_progress: {
    meaning: "The first request with this `Idempotency-Key` is still running.",
    remedy: "Repeat the request after a moment. You get the response of the first one.",
  },
  cursor_expired: {
    meaning:
      "Changes after this position of the feed are gone: older than 7 days, or lost in a restore.",
    remedy: "Read your resources again, and continue the feed with `after=latest`.",
  },
  precondition_failed: {
    meaning: "The resource has changed since you read the `ETag` in `If-Match`.",
    remedy: "Read the resource again, apply your change, and send the new `ETag`.",
  },
  payload_too_large: {
    meaning: "The body or the headers are larger than the call accepts.",
    remedy: "Send less. `GET /api/limits` lists the sizes.",
  },
  range_not_satisfiable: {
    meaning: "The `Range` starts beyond the end of the content.",
    remedy: "`Content-Range` says how long the content is.",
  },
  idempotency_key_reused: {
    meaning: "This `Idempotency-Key` was used with another body, query or `Claim-With` header.",
    remedy: "Make a new key for each new request, and repeat a request unchanged.",
  },
  rate_limited: {
    meaning: "You have reached a limit on requests, connections or attempts.",
    remedy: "Wait `Retry-After` seconds. `GET /api/me` shows what is left of your rate limits.",
  },
  inbox_full: {
    meaning: "The inbox has reached its limit of pending events or bytes.",
    remedy: "Wait `Retry-After` seconds. Acknowledge or delete events, or raise `max_events`.",
  },
  internal_error: {
    meaning: "Something went wrong on our side.",
    remedy: "Retry with the same `Idempotency-Key`. Report the `request_id` if it happens again.",
  },
  service_unavailable: {
    meaning: "The database is unavailable or too slow, or the server is full.",
    remedy: "Wait `Retry-After` seconds and retry with the same `Idempotency-Key`.",
  },
  ...signInErrorTexts,
};

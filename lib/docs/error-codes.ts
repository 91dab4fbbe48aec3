import type { ErrorCode } from "@/lib/platform/errors";

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
      "Send one JSON object. The message says where parsing stopped. In a shell, put the body in single quotes.",
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
    meaning: "Only a message that is `failed` or `canceled` can be retried.",
    remedy: "Read its `status`. To send a delivered message again, create another one.",
  },
  url_not_allowed: {
    meaning: "Messages and replays are not sent to this URL.",
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
    meaning:
      "The claim token does not match this resource, or claims nothing. The agent-auth endpoints return 404 instead.",
    remedy: "Use the `claim_token` of the response that created it. It is shown once.",
  },
  resource_not_found: {
    meaning: "No resource has this ID, or it was deleted or has expired.",
    remedy:
      "IDs are case-sensitive. Unclaimed public resources are deleted after a time without a write.",
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
    meaning: "The lease has ended, and another worker has taken the task or event since.",
    remedy:
      "Stop the work and discard its result: the other worker does it now. Next time, take a longer lease or extend it in time.",
  },
  blocker_cycle: {
    meaning: "The task would wait for itself, through its blockers.",
    remedy:
      "Omit this blocker, or first remove one of the blockers that lead from the other task back to this one.",
  },
  secret_already_rotated: {
    meaning: "The signing secret was rotated less than 24 hours ago, and two secrets sign.",
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
    meaning: "Changes after this position of the feed were removed, 7 days after they were made.",
    remedy: "Read your resources again, and continue the feed with `after=latest`.",
  },
  precondition_failed: {
    meaning: "The resource has changed since you read the `ETag` in `If-Match`.",
    remedy: "Read the resource again, apply your change, and send the new `ETag`.",
  },
  payload_too_large: {
    meaning: "The body or the headers are larger than the call accepts.",
    remedy: "Send less. `GET /api/limits` lists every limit.",
  },
  range_not_satisfiable: {
    meaning: "The `Range` starts beyond the end of the content.",
    remedy: "`Content-Range` says how long the content is.",
  },
  idempotency_key_reused: {
    meaning: "This `Idempotency-Key` was used with another body, path or query.",
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
  invalid_request: {
    meaning: "A member of an agent-auth request is missing, unknown or wrong.",
    remedy: "Fix the member that `param` names. The body must be `application/json`.",
  },
  unsupported_type: {
    meaning: "The registration or assertion type is not supported.",
    remedy: "The metadata of the service lists the types. See [agent auth](/docs/agent-auth.md).",
  },
  unsupported_credential_type: {
    meaning: "This flow does not issue the requested type of credential.",
    remedy: "The message lists the types that it issues.",
  },
  invalid_login_hint: {
    meaning: "`login_hint` is not an email address.",
    remedy: "Send one email address of the user.",
  },
  anonymous_not_enabled: {
    meaning: "The operator has turned anonymous registration off.",
    remedy: "Use another type: the metadata of the service lists those that are on.",
  },
  service_auth_not_enabled: {
    meaning: "The service cannot send email, or the operator has turned this type off.",
    remedy: "Use another type: the metadata of the service lists those that are on.",
  },
  identity_assertion_not_enabled: {
    meaning: "The operator trusts no identity provider.",
    remedy: "Use another type: the metadata of the service lists those that are on.",
  },
  missing_verified_email: {
    meaning: "The assertion has no verified email address or phone number.",
    remedy: "Let the user verify one at your provider, and send a new assertion.",
  },
  invalid_grant: {
    meaning:
      "The code or refresh token is unknown, expired, used or another client's; or the assertion needs a proof of possession, which is not supported.",
    remedy: "Send the person to `/oauth/authorize` again. Send an assertion without `cnf`.",
  },
  invalid_client: {
    meaning: "The client is unknown, or sent a secret; or its document cannot be used.",
    remedy: "Register again, or correct the document at `client_id`. Clients have no secret here.",
  },
  unsupported_grant_type: {
    meaning: "`grant_type` is not one that the service knows.",
    remedy: "The description lists them.",
  },
  authorization_pending: {
    meaning: "The person has not yet typed the code of this machine.",
    remedy: "Ask again after `interval` seconds.",
  },
  slow_down: {
    meaning: "The program asks more often than `interval` allows.",
    remedy: "Wait five seconds longer between two requests from now on.",
  },
  access_denied: {
    meaning: "The person refused to let the program act for them.",
    remedy: "Start again if they want it after all.",
  },
  expired_token: {
    meaning: "Nobody typed the code of this machine in time.",
    remedy: "Start the sign-in again.",
  },
  unsupported_response_type: {
    meaning: "`response_type` is not `code`.",
    remedy: "Send `code`.",
  },
  invalid_scope: {
    meaning: "The scope is unknown, or exceeds what the person granted.",
    remedy: "Ask for `api.read`, or for `api.read api.write`.",
  },
  invalid_target: {
    meaning: "`resource` is not one of this service, or not the one that was authorized.",
    remedy: "Send the `resource` of the protected-resource metadata.",
  },
  invalid_redirect_uri: {
    meaning: "A redirect URI of the registration is not allowed.",
    remedy: "The description says why. Use https, or http on loopback.",
  },
  invalid_client_metadata: {
    meaning: "The registration has a member that is missing or not allowed.",
    remedy: "The description names it.",
  },
  invalid_issuer: {
    meaning: "The operator does not trust the issuer of this token.",
    remedy: "Ask the operator to add your provider. The issuer is compared character by character.",
  },
  invalid_signature: {
    meaning: "The token has the wrong type, or its signature cannot be verified.",
    remedy: "Sign with a key that your `jwks_uri` publishes.",
  },
  invalid_audience: {
    meaning: "The token is for another service.",
    remedy: "Set `aud` to the base URL of this service, and to nothing else.",
  },
  expired: {
    meaning: "The token has expired, or its times are in the future.",
    remedy: "Send a fresh token. Check your clock.",
  },
  invalid_client_id: {
    meaning: "The assertion's `client_id` is missing or not accepted.",
    remedy: "Use the `client_id` that the operator configured for your provider.",
  },
  insufficient_user_authentication: {
    meaning: "The user's sign-in at the provider is too old or too weak.",
    remedy: "Let the user sign in there again, and send a new assertion.",
  },
  replay_detected: {
    meaning: "The token has been used before.",
    remedy: "Send a fresh token with a new `jti`.",
  },
  otp_invalid: {
    meaning: "The code is wrong.",
    remedy: "Ask the user to read the code again. A code takes five attempts.",
  },
  claimed_or_in_flight: {
    meaning: "The registration is claimed, or cannot be claimed.",
    remedy: "Use the credential that you already have.",
  },
  previously_claimed: {
    meaning: "The registration has already been claimed.",
    remedy: "Use the credential that you already have.",
  },
  claim_expired: {
    meaning: "The claim token has expired, or too many codes were wrong.",
    remedy: "Register again. An anonymous key can still read.",
  },
  otp_expired: {
    meaning: "The code is no longer valid.",
    remedy: "Start the claim again: the user gets a new code.",
  },
  server_error: {
    meaning: "Something went wrong on our side, at an agent-auth endpoint.",
    remedy: "Try again. Report the `request_id` if it happens again.",
  },
  provider_keys_unavailable: {
    meaning: "The keys of the identity provider cannot be fetched.",
    remedy: "Wait `Retry-After` seconds, and send the same assertion again.",
  },
  mail_unavailable: {
    meaning: "The service cannot send email, or the mail server refused it. Nothing has changed.",
    remedy: "Wait `Retry-After` seconds, or use another type of registration.",
  },
};

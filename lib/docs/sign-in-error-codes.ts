import type { ErrorCode } from "@/lib/platform/errors";

/** The codes of agent auth and OAuth, in the order of the errors page. */
export const signInErrorTexts = {
  invalid_request: {
    meaning:
      "A member, query parameter or header of an agent-auth request is missing, unknown or wrong.",
    remedy:
      "Fix what `param` names. A body is one JSON object; a revocation is one logout token, with the `Content-Type` `application/logout+jwt`.",
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
    remedy: "Send the person to `/oauth/authorize` again, or send an assertion without `cnf`.",
  },
  invalid_client: {
    meaning: "The client is unknown, or sent a secret; or its document cannot be used.",
    remedy: "Register again, or correct the document at `client_id`. Clients have no secret here.",
  },
  unsupported_grant_type: {
    meaning: "`grant_type` is not one that the service knows.",
    remedy: "`error_description` lists them.",
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
    remedy: "`error_description` says why. Use https, or http on loopback.",
  },
  invalid_client_metadata: {
    meaning: "The registration has a member that is missing or not allowed.",
    remedy: "`error_description` names it.",
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
    meaning:
      "The token has expired, its times are in the future, or its user was revoked after it was issued.",
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
    remedy: "Ask the user to read the code again. A code allows five tries.",
  },
  claimed_or_in_flight: {
    meaning: "The registration has already been claimed, or was revoked.",
    remedy: "Use your credential. If you have none, or it gets 401, register again.",
  },
  previously_claimed: {
    meaning: "The registration has already been claimed.",
    remedy: "Use your credential. If you have none, or it gets 401, register again.",
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
    remedy:
      "Wait `Retry-After` seconds. With `MAIL_TRANSPORT=none` that never helps: register with an assertion, or ask a person for a key.",
  },
} satisfies Partial<Record<ErrorCode, object>>;

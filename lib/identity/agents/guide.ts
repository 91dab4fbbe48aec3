import { config } from "@/lib/platform/config/config";
import { canSendMail } from "@/lib/platform/mail/send";
import { ID_JAG_TYPE } from "./contract";
import { enabledFlows } from "./register";

/** The Markdown of `/auth.md`, for agents that received a 401. */
export function guide(): string {
  const { baseUrl, idempotencyRetentionSeconds } = config();
  const flows = enabledFlows();
  const sections = [
    flows.anonymous && anonymous(baseUrl),
    flows.service_auth && serviceAuth(baseUrl),
    flows.identity_assertion && identityAssertion(baseUrl),
  ].filter((section) => section !== false);
  const rows = [
    flows.identity_assertion &&
      "| an ID-JAG from an agent provider trusted here | `identity_assertion` | a credential with both scopes, at once |",
    flows.service_auth &&
      "| your user's email address, and the user within reach | `service_auth` | a credential with both scopes, once the user gives you a code |",
    flows.anonymous &&
      "| nothing | `anonymous` | a key with `api.read` at once; `api.write` after a claim |",
  ].filter((row) => row !== false);
  return `# Agent Infrastructure: credentials for agents

If you are an agent and need a key for ${baseUrl}, you can get one yourself with one to three requests. Until
a person tells you a code from an email, or your provider vouches for you, the key can only read and claim.
You may not need one: without a key, what you create is public to anyone who knows its ID.

## Discover

- [Protected-resource metadata](${baseUrl}/.well-known/oauth-protected-resource): every 401 links here.
- [Where keys come from](${baseUrl}/.well-known/oauth-authorization-server): the endpoints below. It is the metadata of RFC 8414, which also describes OAuth for clients that a person signs in to.
- [Your key](${baseUrl}/api/me): its scopes, expiry and remaining limits. \`DELETE ${baseUrl}/api/me/key\` revokes it, \`POST ${baseUrl}/api/me/key/rotate\` replaces it.
- [OpenAPI description](${baseUrl}/openapi.json) of the API.

## Scopes

- \`api.read\`: read and list your organization's resources.
- \`api.write\`: create, change and delete them.

## Pick a flow

| You have | Send \`type\` | You get |
|---|---|---|
${rows.join("\n")}

\`requested_credential_type\` is \`api_key\` (default, does not expire) or, except for \`anonymous\`,
\`access_token\` (one hour; then send a fresh assertion, or register again).
All bodies are JSON; unknown properties are rejected. Times are Unix seconds.
Send a UUID as \`Idempotency-Key\` with each POST and keep it until you have the response: repeating the request within
${idempotencyRetentionSeconds / 3600} hours returns the same response, credentials included. A code works once; without the key, a lost response is lost.

${sections.join("\n\n")}

## Use

    curl ${baseUrl}/api/tasks -H "Authorization: Bearer $KEY" -d '{"name": "Say hello"}'

Keep the key secret; it is shown once. It looks like \`svc_(live|at)_[0-9A-Za-z]{38}\`.

## Errors

\`{"error": {"type", "code", "message", "param", "doc_url", "request_id"}}\`. What to do for each \`code\`:

| code | do |
|---|---|
| \`invalid_request\` | fix the property named by \`param\`; the other endpoints use \`invalid_param\`, \`unknown_param\` or \`missing_required_param\` |
| \`invalid_claim_token\` | 404 here: no registration has this token; 403 at \`/api/claim/{id}\`: the token is not the resource's |
| \`otp_invalid\` | ask the user to check the code; five attempts per code, fifteen in all |
| \`otp_expired\` | start a new attempt at the claim endpoint |
| \`claim_expired\` | register again; an anonymous key can still read |
| \`claimed_or_in_flight\`, \`previously_claimed\` | use your credential, or register again if none works |
| \`replay_detected\`, \`expired\` | get a fresh assertion from your provider |
| \`rate_limited\`, \`provider_keys_unavailable\`, \`mail_unavailable\` | retry after \`Retry-After\` seconds${canSendMail() ? "" : "; this server sends no email, so `mail_unavailable` is final"} |
| \`insufficient_scope\` | claim your registration |

## Revocation

A provider revokes its user's credentials by sending a logout token (\`application/logout+jwt\`) to
${baseUrl}/api/agent/auth/revoke. Requests with them then get 401; start again here.
`;
}

function anonymous(baseUrl: string) {
  return `## Anonymous

1. Register:

       curl ${baseUrl}/api/agent/auth \\
         -d '{"type": "anonymous"}'

   \`credential\` can read at once. Keep \`claim_token\`: for seven days you can use it to give the key \`api.write\`.
   Until then, what the key claims is deleted when it is long unused, like public resources.
${canSendMail() ? claimSteps(baseUrl) : "\n   This server sends no email, so nobody can get a code and the key stays as it is."}`;
}

function claimSteps(baseUrl: string) {
  return `2. When you have a user, send them a code:

       curl ${baseUrl}/api/agent/auth/claim \\
         -d '{"claim_token": "clm_…", "email": "user@example.com"}'

3. Ask the user for the code, within ten minutes:

       curl ${baseUrl}/api/agent/auth/claim/complete \\
         -d '{"claim_token": "clm_…", "otp": "123456"}'

   Your key stays the same and now has both scopes; your organization now has an owner.`;
}

function serviceAuth(baseUrl: string) {
  return `## Service auth

1. Register with the user's address; the code is sent at once:

       curl ${baseUrl}/api/agent/auth \\
         -d '{"type": "service_auth", "login_hint": "user@example.com"}'

2. Complete with the code, as above. The response contains the \`credential\`.
   If the code is lost, the claim endpoint sends a new one to the same address.`;
}

function identityAssertion(baseUrl: string) {
  return `## Identity assertion

    curl ${baseUrl}/api/agent/auth \\
      -d '{"type": "identity_assertion", "assertion_type": "${ID_JAG_TYPE}", "assertion": "eyJ…"}'

The assertion is an ID-JAG for the audience \`${baseUrl}\`, with a verified email address or phone number. It can be used once.
To renew an access token, present a fresh one.`;
}

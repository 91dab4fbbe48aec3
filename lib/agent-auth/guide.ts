import { config } from "@/lib/config/config";
import { ID_JAG_TYPE } from "./contract";
import { enabledFlows } from "./register";

/** `/auth.md`: what an agent reads that was answered 401. Markdown. */
export function guide(): string {
  const { baseUrl } = config();
  const flows = enabledFlows();
  const sections = [
    flows.anonymous && anonymous(baseUrl),
    flows.service_auth && serviceAuth(baseUrl),
    flows.identity_assertion && identityAssertion(baseUrl),
  ].filter((section) => section !== false);
  return `# Agent Infrastructure: credentials for agents

You are an agent and want a key for ${baseUrl}. You get it yourself, with two or three requests.
You may not need one: without a key, what you create is public to those who know its ID.

## Discover

- [Protected-resource metadata](${baseUrl}/.well-known/oauth-protected-resource): every 401 leads here.
- [Where keys come from](${baseUrl}/.well-known/oauth-authorization-server): the endpoints below. The document stands where RFC 8414 puts it, but is no OAuth server's: there is no authorization or token endpoint.
- [Your key](${baseUrl}/api/me): what it is, what it may do and what is left of its limits. \`DELETE ${baseUrl}/api/me/key\` revokes it, \`POST ${baseUrl}/api/me/key/rotate\` replaces it.
- [OpenAPI description](${baseUrl}/openapi.json) of the API.

## Scopes

- \`api.read\`: read and list what belongs to your organization.
- \`api.write\`: create, change and delete it.

## Pick a flow

| You have | Send \`type\` | You get |
|---|---|---|
| an ID-JAG of an agent provider that is trusted here | \`identity_assertion\` | a credential with both scopes, at once |
| your user's e-mail address, and the user at hand | \`service_auth\` | a credential with both scopes, once the user has passed you a code |
| nothing | \`anonymous\` | a key with \`api.read\` at once; \`api.write\` after a claim |

\`requested_credential_type\` is \`api_key\` (default, does not expire) or \`access_token\` (one hour, no refresh).
All bodies are JSON with \`Content-Type: application/json\`; unknown properties are refused. Times are Unix seconds.
Send a UUID of your own as \`Idempotency-Key\` with each POST, and keep it until you have the answer: the same request
again within 24 hours gives the same answer, credentials included. A code works once; without the key a lost answer is lost.

${sections.join("\n\n")}

## Use

    curl ${baseUrl}/api/tasks -H "Authorization: Bearer $KEY" -d '{"name": "Say hello"}'

Keep the key secret; it is shown once. It looks like \`svc_(live|at)_[0-9A-Za-z]{38}\`.

## Errors

\`{"error": {"type", "code", "message", "param", "request_id"}}\`. What to do about \`code\`:

| code | do |
|---|---|
| \`invalid_request\` | mend the property that \`param\` names; the other endpoints say \`invalid_param\`, \`unknown_param\` or \`missing_required_param\` |
| \`invalid_claim_token\` | 404 here: no registration has this token; 403 at \`/api/claim/{id}\`: it is not the resource's |
| \`otp_invalid\` | ask the user to read the code again; five tries a code, fifteen in all |
| \`otp_expired\` | start a new attempt at the claim endpoint |
| \`claim_expired\` | register again; an anonymous key goes on reading |
| \`claimed_or_in_flight\`, \`previously_claimed\` | nothing: it is claimed |
| \`replay_detected\`, \`expired\` | get a fresh assertion from your provider |
| \`rate_limited\` | wait as long as \`Retry-After\` says |
| \`provider_keys_unavailable\`, \`mail_unavailable\` | try again later with the same request |
| \`insufficient_scope\` | claim your registration |

## Revocation

A provider ends its user's credentials with a logout token (\`application/logout+jwt\`) at
${baseUrl}/api/agent/auth/revoke. Then every request with them is answered 401, and you start here again.
`;
}

function anonymous(baseUrl: string) {
  return `## Anonymous

1. Register:

       curl ${baseUrl}/api/agent/auth -H "Content-Type: application/json" \\
         -d '{"type": "anonymous"}'

   \`credential\` reads at once. Keep \`claim_token\`: for seven days it can give the key \`api.write\`.
2. When you have a user, have a code sent to them:

       curl ${baseUrl}/api/agent/auth/claim -H "Content-Type: application/json" \\
         -d '{"claim_token": "clm_…", "email": "user@example.com"}'

3. Ask the user for the digits of the mail, within ten minutes:

       curl ${baseUrl}/api/agent/auth/claim/complete -H "Content-Type: application/json" \\
         -d '{"claim_token": "clm_…", "otp": "123456"}'

   Your key is the same, with both scopes; your organization now has an owner.`;
}

function serviceAuth(baseUrl: string) {
  return `## Service auth

1. Register with the user's address; the code is sent at once:

       curl ${baseUrl}/api/agent/auth -H "Content-Type: application/json" \\
         -d '{"type": "service_auth", "login_hint": "user@example.com"}'

2. Complete with the digits, as above: the answer holds the \`credential\`.
   A lost code is sent again by the claim endpoint, with the same address.`;
}

function identityAssertion(baseUrl: string) {
  return `## Identity assertion

    curl ${baseUrl}/api/agent/auth -H "Content-Type: application/json" \\
      -d '{"type": "identity_assertion", "assertion_type": "${ID_JAG_TYPE}", "assertion": "eyJ…"}'

The assertion is an ID-JAG for the audience \`${baseUrl}\`, with a verified e-mail address or phone number, used once.
To renew an access token, present a fresh one.`;
}

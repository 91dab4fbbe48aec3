import * as z from "zod";
import type { Commit } from "@/lib/platform/db/commit";
import { isDatabaseDown } from "@/lib/platform/db/failures";
import { ApiError } from "@/lib/platform/errors";
import { type Operation, operation } from "@/lib/platform/http/operation";
import { publicDocument } from "@/lib/platform/http/public-document";
import { assertNoMessage } from "@/lib/platform/http/relayed";
import { type HttpRequest, splitUrl } from "@/lib/platform/http/request";
import { HttpResponse } from "@/lib/platform/http/response";
import { JSON_BYTES_MAX, TOKEN_LENGTH_MAX } from "./body";
import { startClaim } from "./claim";
import { completeClaim } from "./complete";
import * as contract from "./contract";
import {
  AuthorizationServer,
  authorizationServer,
  ProtectedResource,
  protectedResource,
} from "./discovery";
import { guide } from "./guide";
import { register } from "./register";
import { revoke } from "./revoke";

/** What an agent reads to get a credential. */
const document = { ...publicDocument, inPartOnly: false } as const;

const CACHED = { "Cache-Control": "public, max-age=300" };
const JSON_BODY = { contentType: "application/json", bytesMax: JSON_BYTES_MAX };

/** Why a provider's token is rejected. */
const REJECTIONS = [
  "invalid_issuer",
  "invalid_signature",
  "invalid_audience",
  "expired",
  "replay_detected",
] as const;

export const agentAuthOperations = {
  getProtectedResource: operation("GET /.well-known/oauth-protected-resource", {
    ...document,
    id: "getProtectedResource",
    summary: "Protected-resource metadata (RFC 9728)",
    success: { status: 200, schema: ProtectedResource },
    handle: () => metadata(protectedResource({})),
  }),
  getMcpProtectedResource: operation("GET /.well-known/oauth-protected-resource/mcp", {
    ...publicDocument,
    id: "getMcpProtectedResource",
    summary: "Protected-resource metadata of /mcp (RFC 9728)",
    success: { status: 200, schema: ProtectedResource },
    handle({ request }) {
      const { search } = splitUrl(request.url);
      return metadata(protectedResource({ audience: "mcp", search }));
    },
  }),
  getAuthorizationServer: operation("GET /.well-known/oauth-authorization-server", {
    ...document,
    id: "getAuthorizationServer",
    summary: "Authorization-server metadata (RFC 8414), with the agent-auth endpoints",
    success: { status: 200, schema: AuthorizationServer },
    handle: () => metadata(authorizationServer()),
  }),
  getGuide: operation("GET /auth.md", {
    ...document,
    id: "getAuthGuide",
    summary: "How an agent gets its own credentials, in prose",
    success: { status: 200, contentType: "text/markdown" },
    handle: () =>
      new HttpResponse(200, { "Content-Type": "text/markdown; charset=utf-8", ...CACHED }, guide()),
  }),
  register: endpoint("POST /api/agent/auth", {
    id: "registerAgent",
    summary: "Register an agent",
    description:
      "`anonymous`: a read-only key at once. `service_auth`: the user confirms by email. `identity_assertion`: a trusted provider vouches for the user.",
    rawBody: { ...JSON_BODY, schema: contract.Registration },
    failures: [429, 503],
    errors: [
      "invalid_request",
      "unsupported_type",
      "unsupported_credential_type",
      "invalid_login_hint",
      "anonymous_not_enabled",
      "service_auth_not_enabled",
      "identity_assertion_not_enabled",
      "missing_verified_email",
      "invalid_grant",
      ...REJECTIONS,
      "invalid_client_id",
      "insufficient_user_authentication",
      "server_error",
      "provider_keys_unavailable",
      "mail_unavailable",
    ],
    success: { status: 201, schema: contract.Registered },
    work: register,
  }),
  startClaim: endpoint("POST /api/agent/auth/claim", {
    id: "startAgentClaim",
    summary: "Start or resend the claim of an agent",
    description: "Emails the user a code. A new attempt replaces the previous one.",
    rawBody: { ...JSON_BODY, schema: contract.ClaimStart },
    failures: [429, 503],
    errors: [
      "invalid_request",
      "invalid_claim_token",
      "claimed_or_in_flight",
      "claim_expired",
      "server_error",
      "mail_unavailable",
    ],
    statuses: { invalid_claim_token: 404 },
    success: { status: 200, schema: contract.ClaimStarted },
    work: startClaim,
  }),
  completeClaim: endpoint("POST /api/agent/auth/claim/complete", {
    id: "completeAgentClaim",
    summary: "Complete the claim of an agent",
    description:
      "With the user's code. An anonymous agent's key gets both scopes; a service_auth agent gets its credential.",
    rawBody: { ...JSON_BODY, schema: contract.ClaimComplete },
    failures: [429],
    errors: [
      "invalid_request",
      "invalid_claim_token",
      "otp_invalid",
      "previously_claimed",
      "claim_expired",
      "otp_expired",
      "server_error",
    ],
    statuses: { invalid_claim_token: 404 },
    success: { status: 200, schema: contract.Claimed },
    work: completeClaim,
  }),
  revoke: endpoint("POST /api/agent/auth/revoke", {
    id: "revokeAgent",
    summary: "Revoke a user's agents",
    description: "For identity providers: revokes all credentials of one of their users.",
    rawBody: {
      contentType: "application/logout+jwt",
      schema: z.string(),
      bytesMax: TOKEN_LENGTH_MAX,
    },
    failures: [429],
    errors: ["invalid_request", ...REJECTIONS, "server_error", "provider_keys_unavailable"],
    statuses: Object.fromEntries(REJECTIONS.map((code) => [code, 400])),
    success: { status: 200, schema: contract.Revoked },
    work: revoke,
  }),
};

function metadata(document: object): HttpResponse {
  return new HttpResponse(
    200,
    { "Content-Type": "application/json", ...CACHED },
    JSON.stringify(document),
  );
}

interface Declared<Schema extends z.ZodType>
  extends Pick<
    Operation,
    "id" | "summary" | "description" | "rawBody" | "failures" | "errors" | "statuses"
  > {
  success: { status: number; schema: Schema };
  /** Commits its last write through the `commit` that it receives. */
  work(request: HttpRequest, commit: Commit): Promise<z.output<Schema>>;
}

/** One of the four endpoints, whose responses carry secrets: no cache may store them (RFC 6749 §5.1). */
function endpoint<Schema extends z.ZodType>(
  route: `POST /${string}`,
  { work, ...declared }: Declared<Schema>,
): Operation {
  return operation(route, {
    auth: "ignored",
    allow: "POST",
    pathHeaders: { Pragma: "no-cache" },
    ...declared,
    handle({ caller, request, commit }) {
      assertNoMessage(caller, "invalid_request");
      return work(request, commit).catch((thrown) => {
        throw asDeclared(thrown, declared.statuses);
      });
    },
  });
}

/** The error with the status that the endpoint declares for its code. */
function asDeclared(thrown: unknown, statuses: Operation["statuses"]): unknown {
  if (!(thrown instanceof ApiError)) {
    if (isDatabaseDown(thrown)) return thrown;
    return new ApiError("server_error", "Something went wrong on our side.", { cause: thrown });
  }
  const { code, message, param } = thrown;
  const status = statuses?.[code];
  return status ? new ApiError(code, message, { status, param: param ?? undefined }) : thrown;
}

import * as z from "zod";
import { config } from "@/lib/platform/config/config";
import type { Commit } from "@/lib/platform/db/commit";
import { isDatabaseDown } from "@/lib/platform/db/failures";
import { ApiError } from "@/lib/platform/errors";
import { operation } from "@/lib/platform/http/operation";
import { publicDocument } from "@/lib/platform/http/public-document";
import type { HttpRequest } from "@/lib/platform/http/request";
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

const CACHED = { "Cache-Control": "public, max-age=300" };
/** Responses carry secrets, so no cache may store them (RFC 6749 §5.1). */
const UNCACHED = { "Cache-Control": "no-store", Pragma: "no-cache" };

const endpoint = { auth: "ignored", allow: "POST" } as const;

const JSON_BODY = { contentType: "application/json", bytesMax: JSON_BYTES_MAX };

export const agentAuthOperations = {
  getProtectedResource: operation("GET /.well-known/oauth-protected-resource", {
    ...publicDocument,
    id: "getProtectedResource",
    summary: "Protected-resource metadata (RFC 9728)",
    success: { status: 200, schema: ProtectedResource },
    handle: () => document(protectedResource("api")),
  }),
  getMcpProtectedResource: operation("GET /.well-known/oauth-protected-resource/mcp", {
    ...publicDocument,
    id: "getMcpProtectedResource",
    summary: "Protected-resource metadata of /mcp (RFC 9728)",
    success: { status: 200, schema: ProtectedResource },
    handle: () => document(protectedResource("mcp")),
  }),
  getAuthorizationServer: operation("GET /.well-known/oauth-authorization-server", {
    ...publicDocument,
    id: "getAuthorizationServer",
    summary: "Authorization-server metadata (RFC 8414), with the agent-auth endpoints",
    success: { status: 200, schema: AuthorizationServer },
    handle: () => document(authorizationServer()),
  }),
  getGuide: operation("GET /auth.md", {
    ...publicDocument,
    id: "getAuthGuide",
    summary: "How an agent gets its own credentials, in prose",
    success: { status: 200, contentType: "text/markdown" },
    handle: () =>
      new HttpResponse(200, { "Content-Type": "text/markdown; charset=utf-8", ...CACHED }, guide()),
  }),
  register: operation("POST /api/agent/auth", {
    ...endpoint,
    id: "registerAgent",
    summary: "Register an agent",
    description:
      "`anonymous`: a read-only key at once. `service_auth`: the user confirms by email. `identity_assertion`: a trusted provider vouches for the user.",
    rawBody: { ...JSON_BODY, schema: contract.Registration },
    failures: [413, 429, 503],
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
      "invalid_issuer",
      "invalid_signature",
      "invalid_audience",
      "expired",
      "invalid_client_id",
      "insufficient_user_authentication",
      "replay_detected",
      "server_error",
      "provider_keys_unavailable",
      "mail_unavailable",
    ],
    success: { status: 201, schema: contract.Registered },
    handle: responding(201, contract.Registered, register),
  }),
  startClaim: operation("POST /api/agent/auth/claim", {
    ...endpoint,
    id: "startAgentClaim",
    summary: "Start or resend the claim of an agent",
    description: "Emails the user a code. A new attempt replaces the previous one.",
    rawBody: { ...JSON_BODY, schema: contract.ClaimStart },
    failures: [401, 404, 413, 429, 503],
    errors: [
      "invalid_request",
      "claimed_or_in_flight",
      "claim_expired",
      "server_error",
      "mail_unavailable",
    ],
    success: { status: 200, schema: contract.ClaimStarted },
    handle: responding(200, contract.ClaimStarted, startClaim),
  }),
  completeClaim: operation("POST /api/agent/auth/claim/complete", {
    ...endpoint,
    id: "completeAgentClaim",
    summary: "Complete the claim of an agent",
    description:
      "With the user's code. An anonymous agent's key gets both scopes; a service_auth agent gets its credential.",
    rawBody: { ...JSON_BODY, schema: contract.ClaimComplete },
    failures: [404, 413, 429],
    errors: [
      "invalid_request",
      "otp_invalid",
      "previously_claimed",
      "claim_expired",
      "otp_expired",
      "server_error",
    ],
    success: { status: 200, schema: contract.Claimed },
    handle: responding(200, contract.Claimed, completeClaim),
  }),
  revoke: operation("POST /api/agent/auth/revoke", {
    ...endpoint,
    id: "revokeAgent",
    inPartOnly: true,
    summary: "Revoke a user's agents",
    description: "For identity providers: revokes all credentials of one of their users.",
    rawBody: {
      contentType: "application/logout+jwt",
      schema: z.string(),
      bytesMax: TOKEN_LENGTH_MAX,
    },
    failures: [413, 429],
    errors: [
      "invalid_request",
      "invalid_issuer",
      "invalid_signature",
      "invalid_audience",
      "expired",
      "replay_detected",
      "server_error",
      "provider_keys_unavailable",
    ],
    success: { status: 200, schema: contract.Revoked },
    handle: responding(200, contract.Revoked, revoke),
  }),
};

function document(metadata: object): HttpResponse {
  return new HttpResponse(
    200,
    { "Content-Type": "application/json", ...CACHED },
    JSON.stringify(metadata),
  );
}

/**
 * The handler of an agent-auth endpoint, which returns the result of `work` or its error, marked as
 * uncacheable. `work` commits its last write through the `commit` that it receives.
 */
function responding<Schema extends z.ZodType>(
  status: number,
  schema: Schema,
  work: (request: HttpRequest, commit: Commit) => Promise<z.output<Schema>>,
) {
  const responseOf = (result: unknown) => {
    if (config().validateResponses) schema.parse(result);
    const headers = { "Content-Type": "application/json", ...UNCACHED };
    return new HttpResponse(status, headers, JSON.stringify(result));
  };
  return async ({ request, commit }: { request: HttpRequest; commit: Commit }) => {
    try {
      return responseOf(await work(request, (write) => commit(write, responseOf)));
    } catch (thrown) {
      const error = asApiError(thrown);
      if (error instanceof ApiError) Object.assign(error.headers, UNCACHED);
      throw error;
    }
  };
}

function asApiError(thrown: unknown): unknown {
  if (thrown instanceof ApiError || isDatabaseDown(thrown)) return thrown;
  return new ApiError("server_error", "Something went wrong on our side.", { cause: thrown });
}

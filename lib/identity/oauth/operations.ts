import { ApiError } from "@/lib/platform/errors";
import { clientAddress } from "@/lib/platform/http/address";
import { type Operation, operation } from "@/lib/platform/http/operation";
import { assertNoMessage } from "@/lib/platform/http/relayed";
import { type HttpRequest, readJsonObject } from "@/lib/platform/http/request";
import { validate } from "@/lib/platform/http/validation";
import { countByNetwork } from "@/lib/platform/limits/sliding-window";
import { registerClient } from "./clients";
import * as contract from "./contract";
import { startDevice } from "./device";
import { respond } from "./error";
import { oauthLimits } from "./limits";
import { revoke } from "./revoke";
import { token } from "./token";

const FORM = "application/x-www-form-urlencoded";
const METADATA_BYTES_MAX = 65_536;

export const oauthOperations = {
  exchangeToken: endpoint("POST /oauth/token", {
    id: "exchangeToken",
    summary: "Exchange a code or a refresh token",
    rawBody: { contentType: FORM, schema: contract.TokenRequest },
    errors: [
      "invalid_request",
      "invalid_grant",
      "invalid_client",
      "unsupported_grant_type",
      "authorization_pending",
      "slow_down",
      "access_denied",
      "expired_token",
      "invalid_scope",
      "invalid_target",
    ],
    success: { status: 200, schema: contract.TokenResponse },
    work: token,
  }),
  authorizeDevice: endpoint("POST /oauth/device_authorization", {
    id: "authorizeDevice",
    summary: "Sign in on a machine without a browser",
    description: "For the command line of this service (RFC 8628).",
    rawBody: { contentType: FORM, schema: contract.DeviceRequest },
    errors: ["invalid_request", "invalid_client", "invalid_scope", "invalid_target"],
    success: { status: 200, schema: contract.DeviceAuthorization },
    work: startDevice,
  }),
  registerClient: endpoint("POST /oauth/register", {
    id: "registerOAuthClient",
    summary: "Register a client",
    description: "For public clients without a Client ID Metadata Document (RFC 7591).",
    rawBody: { contentType: "application/json", schema: contract.ClientMetadata },
    errors: ["invalid_request", "invalid_redirect_uri", "invalid_client_metadata"],
    success: { status: 201, schema: contract.RegisteredClient },
    work: register,
  }),
  revokeToken: endpoint("POST /oauth/revoke", {
    id: "revokeToken",
    summary: "Revoke a token and its grant",
    rawBody: { contentType: FORM, schema: contract.RevocationRequest },
    errors: ["invalid_request", "invalid_grant"],
    success: { status: 200 },
    work: revoke,
  }),
};

interface Declared
  extends Pick<Operation, "id" | "summary" | "description" | "rawBody" | "errors" | "success"> {
  work(request: HttpRequest): Promise<unknown>;
}

/** One of the endpoints of RFC 6749, 7009, 7591 and 8628. */
function endpoint(route: `POST /${string}`, { work, ...declared }: Declared): Operation {
  return operation(route, {
    inPartOnly: true,
    auth: "ignored",
    anyQuery: true,
    repeatable: false,
    allow: "POST",
    pathHeaders: { Pragma: "no-cache" }, // RFC 6749 §5.1: responses may carry tokens
    failures: [413, 429],
    failureSchema: contract.OAuthFailure,
    ...declared,
    handle: ({ caller, request }) =>
      respond(declared.success.status, async () => {
        assertNoMessage(caller, "invalid_request");
        return work(request);
      }),
  });
}

async function register(request: HttpRequest): Promise<contract.RegisteredClient> {
  const address = clientAddress(request);
  const limit = oauthLimits.client_registrations_per_network;
  await countByNetwork("oauth-register", address, limit);
  const { document, excessive } = await readJsonObject(request, METADATA_BYTES_MAX);
  try {
    const metadata = validate(contract.ClientMetadata, document, { excessive });
    return await registerClient(metadata, address);
  } catch (error) {
    throw asMetadataError(error);
  }
}

/** RFC 7591 §3.2.2 has codes of its own for invalid metadata. */
function asMetadataError(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.param === null) return error;
  const isUri = error.param.split(".")[0] === "redirect_uris";
  return new ApiError(isUri ? "invalid_redirect_uri" : "invalid_client_metadata", error.message);
}

import { clientAddress } from "@/lib/platform/http/address";
import { operation } from "@/lib/platform/http/operation";
import { readSigningSecret, rotateSigningSecret, SigningSecret } from "./signing-secret";

export const signingSecretOperations = {
  get: operation("GET /api/signing-secret", {
    id: "getSigningSecret",
    summary: "Get your signing secret",
    description:
      "It verifies the `v1` signatures of your organization's deliveries with any Standard Webhooks library.",
    auth: "required",
    scope: "api.write",
    success: { status: 200, schema: SigningSecret },
    handle: ({ caller, request }) => readSigningSecret(caller, request),
  }),
  rotate: operation("POST /api/signing-secret/rotate", {
    id: "rotateSigningSecret",
    summary: "Rotate your signing secret",
    description:
      "For 24 hours the old secret signs too. Until they are over, 409 `secret_already_rotated`.",
    auth: "required",
    errors: ["secret_already_rotated"],
    success: { status: 200, schema: SigningSecret },
    handle: ({ caller, request, commit }) =>
      rotateSigningSecret(caller, clientAddress(request), commit),
  }),
};

import { operation } from "@/lib/platform/http/operation";
import { provenBy } from "@/lib/resources/claim-token";
import { WebhookVerification, WebhookVerificationPut } from "./contract";
import * as verifications from "./service";

const path = "/api/webhooks/{id}/verification";
export const webhookVerificationOperations = {
  put: operation(`PUT ${path}`, {
    id: "putWebhookVerification",
    summary: "Verify signatures of captured events",
    description: `Later events get \`verified\` and a reason, by the exact bytes; the sender gets 200 either way. The secret is never shown again. A replaced secret stays valid for ${verifications.OVERLAP_SECONDS / 3600} hours.`,
    takesClaimToken: true,
    body: WebhookVerificationPut,
    success: { status: 200, schema: WebhookVerification },
    handle: ({ caller, params, body, request, precondition }) =>
      verifications.put(provenBy(body.claim_token, caller, request), params.id, body, precondition),
  }),
  get: operation(`GET ${path}`, {
    id: "getWebhookVerification",
    summary: "Get the verification of an endpoint",
    conditional: true,
    success: { status: 200, schema: WebhookVerification },
    handle: ({ caller, params }) => verifications.get(caller, params.id),
  }),
  remove: operation(`DELETE ${path}`, {
    id: "deleteWebhookVerification",
    summary: "Stop verifying events",
    description: "Also forgets the previous secret at once.",
    takesClaimToken: true,
    success: { status: 204 },
    handle: ({ caller, params, precondition }) =>
      verifications.remove(caller, params.id, precondition),
  }),
};

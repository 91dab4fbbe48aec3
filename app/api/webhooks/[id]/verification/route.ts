import { route } from "@/lib/api/route";
import { webhookVerificationOperations as verification } from "@/lib/resources/webhooks/verification/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  verification.put,
  verification.get,
  verification.remove,
);

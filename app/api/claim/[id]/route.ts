import { route } from "@/lib/api/route";
import { claimOperations as claims } from "@/lib/resources/claims/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  claims.claim,
  claims.openPage,
);

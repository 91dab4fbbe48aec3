import { route } from "@/lib/api/route";
import { claimResource, openClaimPage } from "@/lib/resources/claims/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(claimResource, openClaimPage);

import { claimResource, openClaimPage } from "@/lib/claims/operations";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(claimResource, openClaimPage);

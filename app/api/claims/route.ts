import { route } from "@/lib/api/route";
import { claimResources } from "@/lib/resources/claims/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(claimResources);

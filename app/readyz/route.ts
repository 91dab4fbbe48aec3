import { route } from "@/lib/api/route";
import { getReadiness } from "@/lib/upkeep/health/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getReadiness);

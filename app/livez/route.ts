import { route } from "@/lib/api/route";
import { healthOperations as health } from "@/lib/upkeep/health/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(health.getLiveness);

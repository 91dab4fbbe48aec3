import { route } from "@/lib/api/route";
import { getLiveness } from "@/lib/upkeep/health/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getLiveness);

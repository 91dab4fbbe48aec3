import { route } from "@/lib/api/route";
import { getMetrics } from "@/lib/upkeep/metrics/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getMetrics);

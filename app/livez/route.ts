import { route } from "@/lib/api/route";
import { getLiveness } from "@/lib/health/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getLiveness);

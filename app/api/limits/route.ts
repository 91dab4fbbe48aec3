import { route } from "@/lib/api/route";
import { getLimits } from "@/lib/upkeep/limits/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getLimits);

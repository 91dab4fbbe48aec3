import { getLlmsFullText } from "@/lib/api/registry";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getLlmsFullText);

import { getOpenApiPart } from "@/lib/http/registry";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getOpenApiPart);

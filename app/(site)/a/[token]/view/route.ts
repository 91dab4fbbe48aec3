import { getSharedView } from "@/lib/artifacts/shared-operations";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getSharedView);

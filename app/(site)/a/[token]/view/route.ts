import { route } from "@/lib/api/route";
import { getSharedView } from "@/lib/resources/artifacts/shared-operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getSharedView);

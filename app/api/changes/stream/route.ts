import { route } from "@/lib/api/route";
import { changeOperations as changes } from "@/lib/resources/changes/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(changes.stream);

/** In seconds. Streams end sooner. */
export const maxDuration = 300;

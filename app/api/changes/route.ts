import { route } from "@/lib/api/route";
import { changeOperations as changes } from "@/lib/resources/changes/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(changes.list);

/** In seconds: the longest wait, and time to respond. */
export const maxDuration = 60;

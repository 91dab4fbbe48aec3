import { route } from "@/lib/api/route";
import { listChanges } from "@/lib/resources/changes/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(listChanges);

/** In seconds: the longest wait, and time to respond. */
export const maxDuration = 60;

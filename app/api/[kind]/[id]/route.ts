import { kindRoute } from "@/lib/api/kind-route";

// The read, update and delete of every kind of resource.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = kindRoute;

/** In seconds: the longest wait, and time to respond. */
export const maxDuration = 60;

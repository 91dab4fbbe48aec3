import { runBatch } from "@/lib/api/batch";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(runBatch);

/** In seconds: for the largest batch on a slow database. */
export const maxDuration = 60;

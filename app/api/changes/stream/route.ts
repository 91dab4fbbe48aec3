import { route } from "@/lib/api/route";
import { streamChangeFeed } from "@/lib/resources/changes/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(streamChangeFeed);

/** In seconds. Streams end sooner. */
export const maxDuration = 300;

import { routeBy } from "@/lib/api/route";
import { routerOf } from "@/lib/api/router";
import { resourceOperations } from "@/lib/resources/registry";

// Every path under /api without a folder of its own: those of the kinds of resources, as their
// operations declare them. For others, 404 in the envelope.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeBy(
  routerOf(resourceOperations),
);

/** In seconds: the longest wait, and time to respond. */
export const maxDuration = 60;

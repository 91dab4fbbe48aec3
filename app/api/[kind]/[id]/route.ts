import { routeBy } from "@/lib/api/route";
import { routerOf } from "@/lib/api/router";
import { resourceOperations } from "@/lib/resources/registry";

// The read, update and delete of every kind of resource.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeBy(
  routerOf(resourceOperations),
);

/** In seconds: the longest wait, and time to respond. */
export const maxDuration = 60;

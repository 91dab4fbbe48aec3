import { routeBy } from "@/lib/api/route";
import { routerOf } from "@/lib/api/router";
import { resourceOperations } from "@/lib/resources/registry";

// The upsert of every kind of resource.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeBy(
  routerOf(resourceOperations),
);

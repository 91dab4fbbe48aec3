import { route } from "@/lib/api/route";
import { upkeepOperations as upkeep } from "@/lib/upkeep/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  upkeep.dispatchByGet,
  upkeep.dispatch,
);

/** In seconds: the budget, the longest attempt after it, and time to write. */
export const maxDuration = 75;

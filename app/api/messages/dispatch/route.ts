import { route } from "@/lib/api/route";
import { upkeepOperations as upkeep } from "@/lib/upkeep/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  upkeep.dispatchByGet,
  upkeep.dispatch,
);

/** In seconds: the budgets of all that a call does, plus the longest attempt and the pushes that it has started. */
export const maxDuration = 300;

import { queryParam } from "@/app/_shared/query";
import { livePage } from "@/app/(dashboard)/_shared/dashboard-route";
import { filtersOf } from "../_components/task-filters";
import { readVersion } from "../_components/task-version";

export const GET = livePage((caller, query) =>
  readVersion(caller, filtersOf(query), queryParam(query, "open")),
);

import { dashboardRoute, jsonResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { readReplays } from "../../../_components/replays";

export const GET = dashboardRoute<{ id: string }>(async (caller, { id }) =>
  jsonResponse(await readReplays(caller, id)),
);

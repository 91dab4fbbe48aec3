import { dashboardRoute, jsonResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { readEventReplays } from "../../../../_components/replays";

export const GET = dashboardRoute<{ id: string; eventId: string }>(async (caller, params) =>
  jsonResponse(await readEventReplays(caller, params.id, params.eventId)),
);

import { dashboardRoute, jsonAnswer } from "@/app/(dashboard)/_shared/dashboard-route";
import { readReplays } from "../../../_components/replays";

export const GET = dashboardRoute<{ id: string }>(async (caller, { id }) =>
  jsonAnswer(await readReplays(caller, id)),
);

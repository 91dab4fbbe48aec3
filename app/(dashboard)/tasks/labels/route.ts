import { accountRoute, jsonResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { usedLabels } from "@/lib/resources/tasks/labels";

/** The labels to offer for selected tasks. */
export const GET = accountRoute(async (caller) => jsonResponse(await usedLabels(caller)));

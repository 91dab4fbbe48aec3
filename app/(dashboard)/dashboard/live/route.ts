import { accountRoute, liveResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { sharedPulse } from "@/lib/resources/overview/pulse";

export const GET = accountRoute(async (caller) => liveResponse(await sharedPulse(caller)));

import { accountRoute, liveResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { madeKinds } from "@/lib/resources/overview/made-kinds";

export const GET = accountRoute(async (caller) =>
  liveResponse(JSON.stringify(await madeKinds(caller))),
);

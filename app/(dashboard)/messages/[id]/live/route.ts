import { dashboardRoute, liveResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { snapshotOf } from "@/app/(dashboard)/_shared/message-state";
import * as messages from "@/lib/resources/messages/service";

export const GET = dashboardRoute<{ id: string }>(async (caller, { id }) =>
  liveResponse(snapshotOf(await messages.get(caller, id))),
);

import { liveResource } from "@/app/(dashboard)/_shared/dashboard-route";
import { snapshotOf } from "@/app/(dashboard)/_shared/message-state";
import * as messages from "@/lib/resources/messages/service";

export const GET = liveResource(async (caller, { id }) =>
  snapshotOf(await messages.get(caller, id)),
);

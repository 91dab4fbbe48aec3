import { liveResource } from "@/app/(dashboard)/_shared/dashboard-route";
import { scheduleVersion } from "@/lib/resources/schedules/listing";

export const GET = liveResource((caller, { id }) => scheduleVersion(caller, id));

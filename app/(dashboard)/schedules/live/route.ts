import { livePage } from "@/app/(dashboard)/_shared/dashboard-route";
import { rangeOf } from "@/app/(dashboard)/_shared/listing";
import { scheduleListVersion } from "@/lib/resources/schedules/listing";

export const GET = livePage((caller, query) => scheduleListVersion(caller, rangeOf(query)));

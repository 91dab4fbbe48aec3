import { livePage } from "@/app/(dashboard)/_shared/dashboard-route";
import { rangeOf } from "@/app/(dashboard)/_shared/listing";
import { inboxListVersion } from "@/lib/resources/inboxes/depths";

export const GET = livePage((caller, query) => inboxListVersion(caller, rangeOf(query)));

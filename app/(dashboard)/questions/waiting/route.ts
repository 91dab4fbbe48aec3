import { livePage } from "@/app/(dashboard)/_shared/dashboard-route";
import { countOpen } from "@/lib/resources/questions/service";

/** How many questions wait for a person: the badge of the navigation. */
export const GET = livePage(async (caller) => String(await countOpen(caller)));

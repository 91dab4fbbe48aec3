import { livePage } from "@/app/(dashboard)/_shared/dashboard-route";
import { newestActivity } from "@/lib/resources/overview/activity";

export const GET = livePage(async (caller) => JSON.stringify(await newestActivity(caller)));

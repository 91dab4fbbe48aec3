import { livePage } from "@/app/(dashboard)/_shared/dashboard-route";
import { madeKinds } from "@/lib/resources/overview/made-kinds";

export const GET = livePage(async (caller) => JSON.stringify(await madeKinds(caller)));

import { searchParamsOf } from "@/app/_shared/query";
import { requireAccount } from "@/app/_shared/session";
import { dashboardResponse, textAnswer } from "@/app/(dashboard)/_shared/dashboard-response";
import { rangeOf } from "@/app/(dashboard)/_shared/listing";
import { markOf } from "@/lib/inboxes/depths";

/** Tells a page whether its list of inboxes, and how deep each is, are still so. */
export async function GET(request: Request): Promise<Response> {
  return dashboardResponse(async () => {
    const { caller } = await requireAccount();
    return textAnswer(await markOf(caller, rangeOf(searchParamsOf(request))));
  });
}

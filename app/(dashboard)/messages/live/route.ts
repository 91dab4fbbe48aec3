import { searchParamsOf } from "@/app/_shared/query";
import { requireAccount } from "@/app/_shared/session";
import { dashboardResponse, textAnswer } from "@/app/(dashboard)/_shared/dashboard-response";
import { rangeOf } from "@/app/(dashboard)/_shared/listing";
import { markOf } from "@/lib/messages/listing";
import { preservedParams } from "../_components/message-list";

/** Tells a page whether the rows of its list are still so. */
export async function GET(request: Request): Promise<Response> {
  return dashboardResponse(async () => {
    const { caller } = await requireAccount();
    const params = searchParamsOf(request);
    return textAnswer(await markOf(caller, { ...preservedParams(params), ...rangeOf(params) }));
  });
}

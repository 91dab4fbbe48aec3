import { paramsOf } from "@/app/_shared/address";
import { accountOf } from "@/app/_shared/session";
import { rangeOf } from "@/app/(dashboard)/_shared/listing";
import { liveAnswer, ownAnswer } from "@/app/(dashboard)/_shared/own-route";
import { markOf } from "@/lib/messages/mark";
import { keptOf } from "../_components/message-list";

/** Tells a page whether the rows of its list are still so. */
export async function GET(request: Request): Promise<Response> {
  return ownAnswer(async () => {
    const { caller } = await accountOf();
    const params = paramsOf(request);
    return liveAnswer(await markOf(caller, { ...keptOf(params), ...rangeOf(params) }));
  });
}

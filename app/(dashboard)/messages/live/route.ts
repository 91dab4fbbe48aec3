import { paramsOf } from "@/app/address";
import { rangeOf } from "@/app/listing";
import { liveAnswer, ownAnswer } from "@/app/own-route";
import { accountOf } from "@/app/session";
import { markOf } from "@/lib/messages/mark";
import { keptOf } from "../message-list";

/** Tells a page whether the rows of its list are still so. */
export async function GET(request: Request): Promise<Response> {
  return ownAnswer(async () => {
    const { caller } = await accountOf();
    const params = paramsOf(request);
    return liveAnswer(await markOf(caller, { ...keptOf(params), ...rangeOf(params) }));
  });
}

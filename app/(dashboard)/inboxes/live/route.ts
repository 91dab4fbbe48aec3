import { paramsOf } from "@/app/address";
import { rangeOf } from "@/app/listing";
import { liveAnswer, ownAnswer } from "@/app/own-route";
import { accountOf } from "@/app/session";
import { markOf } from "@/lib/inboxes/depths";

/** Tells a page whether its list of inboxes, and how deep each is, are still so. */
export async function GET(request: Request): Promise<Response> {
  return ownAnswer(async () => {
    const { caller } = await accountOf();
    return liveAnswer(await markOf(caller, rangeOf(paramsOf(request))));
  });
}

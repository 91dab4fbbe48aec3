import { paramsOf } from "@/app/_shared/address";
import { accountOf } from "@/app/_shared/session";
import { rangeOf } from "@/app/(dashboard)/_shared/listing";
import { liveAnswer, ownAnswer } from "@/app/(dashboard)/_shared/own-route";
import { markOf } from "@/lib/inboxes/depths";

/** Tells a page whether its list of inboxes, and how deep each is, are still so. */
export async function GET(request: Request): Promise<Response> {
  return ownAnswer(async () => {
    const { caller } = await accountOf();
    return liveAnswer(await markOf(caller, rangeOf(paramsOf(request))));
  });
}

import { visitor } from "@/app/_shared/session";
import { liveAnswer, ownAnswer } from "@/app/(dashboard)/_shared/own-route";
import { stats } from "@/lib/inboxes/stats";
import { liveTag } from "./live-tag";

interface Context {
  params: Promise<{ id: string }>;
}

/** Tells a page whether what it shows of an inbox is still so. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  return ownAnswer(async () => {
    const { caller } = await visitor();
    return liveAnswer(liveTag(await stats(caller, (await params).id)));
  });
}

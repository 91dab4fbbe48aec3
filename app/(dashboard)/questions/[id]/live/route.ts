import { liveResource } from "@/app/(dashboard)/_shared/dashboard-route";
import { versionTag } from "@/lib/platform/http/conditional";
import * as questions from "@/lib/resources/questions/service";

export const GET = liveResource(async (caller, { id }) =>
  versionTag(await questions.get(caller, id)),
);

import { livePage } from "@/app/(dashboard)/_shared/dashboard-route";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import { versionTag } from "@/lib/platform/http/conditional";
import * as artifacts from "@/lib/resources/artifacts/service";

export const GET = livePage(async (caller, query) =>
  versionTag(await readShown(caller, query, (part) => artifacts.list(caller, part))),
);

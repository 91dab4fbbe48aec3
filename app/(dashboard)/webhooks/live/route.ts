import { livePage } from "@/app/(dashboard)/_shared/dashboard-route";
import { versionTag } from "@/lib/platform/http/conditional";
import { readEndpoints } from "../_components/endpoints";

export const GET = livePage(async (caller, query) => {
  const { list, last } = await readEndpoints(caller, query);
  return versionTag([list, ...last]);
});

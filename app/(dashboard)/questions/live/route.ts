import { livePage } from "@/app/(dashboard)/_shared/dashboard-route";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import { versionTag } from "@/lib/platform/http/conditional";
import * as questions from "@/lib/resources/questions/service";
import { readState } from "../_components/list-state";

export const GET = livePage(async (caller, query) => {
  const { state } = readState(query);
  return versionTag(
    await readShown(caller, query, (part) => questions.list(caller, { ...part, state })),
  );
});

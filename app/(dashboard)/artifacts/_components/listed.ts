import type { SearchParams } from "@/app/_shared/query";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import type { Caller } from "@/lib/platform/caller";
import { versionTag } from "@/lib/platform/http/conditional";
import * as artifacts from "@/lib/resources/artifacts/service";
import { summariesOf } from "@/lib/resources/artifacts/summaries";

/** The artifacts that the query selects, what the list says about each, and a tag of both. */
export async function readArtifacts(caller: Caller, params: SearchParams, words?: string) {
  const list = await readShown(caller, params, (part) => artifacts.list(caller, part, words));
  const ids = list.data.map(({ id }) => id);
  const summaries = await summariesOf(caller, ids);
  const version = versionTag([list, ids.map((id) => summaries.get(id))]);
  return { list, summaries, version };
}

import type { SearchParams } from "@/app/_shared/query";
import { filterReader } from "@/app/(dashboard)/_shared/filter-reader";
import { questionStates } from "@/lib/resources/questions/contract";

/** The state that the query limits the list of questions to, and filters with unknown values. */
export function readState(params: SearchParams) {
  const { choice, misread } = filterReader(params);
  return { state: choice(questionStates, "state", "status"), misread };
}

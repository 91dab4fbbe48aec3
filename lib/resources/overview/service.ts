import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import type { Question } from "@/lib/resources/questions/contract";
import { list as listQuestions } from "@/lib/resources/questions/service";
import { type Attention, loadAttention } from "./attention";
import { type Coming, listComing } from "./coming";
import { type InboxSummary, summarizeInboxes } from "./inboxes";
import { loadTrends, type Range, type Trends } from "./trends";

/** More are not read. */
export const QUESTIONS_MAX = 5;

export interface Overview extends Attention {
  trends: Trends;
  inboxes: InboxSummary;
  coming: Coming[];
  /** The newest questions that wait for a person. */
  questions: Question[];
}

/** The overview of the caller's organization; null for anonymous callers. */
export async function loadOverview(caller: Caller, range: Range): Promise<Overview | null> {
  const organizationId = organizationOf(caller);
  if (organizationId === null) return null;
  const summary = summarizeInboxes(organizationId);
  const [trends, inboxes, attention, coming, questions] = await Promise.all([
    summary.then(({ waiting }) => loadTrends(organizationId, range, waiting)),
    summary,
    loadAttention(organizationId),
    listComing(organizationId),
    listQuestions(caller, { limit: QUESTIONS_MAX, state: "open" }),
  ]);
  return { trends, inboxes, ...attention, coming, questions: questions.data };
}

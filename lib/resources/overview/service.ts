import { hash } from "node:crypto";
import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { oncePerProcess } from "@/lib/platform/process";
import type { Question } from "@/lib/resources/questions/contract";
import { list as listQuestions } from "@/lib/resources/questions/service";
import { type Attention, type DispatchStatus, loadAttention } from "./attention";
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

/** The parts of the overview that update in place. */
export interface LiveOverview {
  trends: Trends;
  oldest: InboxSummary["oldest"];
  dispatch: DispatchStatus;
  /** Changes whenever the lists do. */
  version: string;
}

/** For this long, all open pages of an organization share one response. */
const SHARED_MS = 2000;

/** The live parts of the caller's overview, or null for anonymous callers. */
export function sharedLiveOverview(caller: Caller, range: Range): Promise<LiveOverview | null> {
  const overviews = oncePerProcess(
    "overview.overviews",
    () => new Map<string, Promise<LiveOverview | null>>(),
  );
  const key = `${organizationOf(caller)} ${range}`;
  let overview = overviews.get(key);
  if (!overview) {
    overview = loadOverview(caller, range).then((overview) => overview && liveOverview(overview));
    overviews.set(key, overview);
    setTimeout(() => overviews.delete(key), SHARED_MS).unref();
  }
  return overview;
}

export function liveOverview(overview: Overview): LiveOverview {
  // What comes next changes all the time, and the page reads it again by itself.
  const { trends, inboxes, dispatch, coming: _, ...lists } = overview;
  const shown = [lists, inboxes.troubled.map(({ id }) => id)];
  return {
    trends,
    oldest: inboxes.oldest,
    dispatch,
    version: hash("sha256", JSON.stringify(shown), "base64url"),
  };
}

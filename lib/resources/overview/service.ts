import { hash } from "node:crypto";
import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { hiddenFromPlanner } from "@/lib/platform/db/owned";
import { queryShownOne } from "@/lib/platform/db/replica";
import { sql } from "@/lib/platform/db/sql";
import { oncePerProcess } from "@/lib/platform/process";
import { DEPTH_COLUMNS, DEPTH_JOINS, NEARLY_FULL } from "@/lib/resources/inboxes/depths";
import type { Question } from "@/lib/resources/questions/contract";
import { countOpen, list as listQuestions } from "@/lib/resources/questions/service";
import { type Attention, type DispatchStatus, loadAttention } from "./attention";
import { type Coming, listComing } from "./coming";
import { loadTrends, type Range, type Trends } from "./trends";
import { ROWS } from "./troubles";

/** More are on their own page, so that the overview stays one screen. */
const QUESTIONS_MAX = 2;

export interface Overview extends Attention {
  trends: Trends;
  inboxes: InboxSummary;
  coming: Coming[];
  /** The newest questions that wait for a person. */
  questions: Question[];
  /** How many wait; counting stops at `OPEN_COUNTED_MAX`. */
  openQuestions: number;
}

/** The overview of the caller's organization; null for anonymous callers. */
export async function loadOverview(caller: Caller, range: Range): Promise<Overview | null> {
  const organizationId = organizationOf(caller);
  if (organizationId === null) return null;
  const summary = summarizeInboxes(organizationId);
  const [trends, inboxes, attention, coming, questions, openQuestions] = await Promise.all([
    summary.then(({ waiting }) => loadTrends(organizationId, range, waiting)),
    summary,
    loadAttention(organizationId),
    listComing(organizationId),
    listQuestions(caller, { limit: QUESTIONS_MAX, state: "open" }),
    countOpen(caller),
  ]);
  return { trends, inboxes, ...attention, coming, questions: questions.data, openQuestions };
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

interface InboxSummary {
  /** Pending events. */
  waiting: number;
  /** The event that has been ready longest, with `since` in Unix seconds. */
  oldest: { inbox_id: string; name: string; since: number } | null;
  /** Inboxes that have dead events or are nearly full. */
  troubled: { id: string; name: string; dead: number; pending: number; max_events: number }[];
}

async function summarizeInboxes(organizationId: string): Promise<InboxSummary> {
  const owned = sql`
    SELECT /* asks every node */ state.*, inboxes.name FROM inboxes
    JOIN inbox_state AS state ON state.inbox_id = inboxes.id
    WHERE inboxes.organization_id = ${hiddenFromPlanner(organizationId)}`;
  const row = await queryShownOne<InboxSummary>(sql`
    WITH depth AS MATERIALIZED (
      SELECT inbox.inbox_id AS id, inbox.name, inbox.max_events, ${DEPTH_COLUMNS}
      FROM (${owned}) AS inbox ${DEPTH_JOINS}
      WHERE inbox.ingested > inbox.acknowledged + inbox.expired + inbox.purged
    )
    SELECT
      (SELECT coalesce(sum(pending), 0)::bigint FROM depth) AS waiting,
      (SELECT to_json(one) FROM (
         SELECT id AS inbox_id, name, ready_since AS since
         FROM depth WHERE ready_since IS NOT NULL ORDER BY ready_since LIMIT 1) AS one) AS oldest,
      (SELECT coalesce(json_agg(one), '[]') FROM (
         SELECT id, name, max_events, dead, pending FROM depth
         WHERE dead > 0 OR pending >= max_events * ${NEARLY_FULL}::float
         ORDER BY dead DESC, id LIMIT ${ROWS}) AS one) AS troubled`);
  if (!row) throw new Error("A select without a table returned no row.");
  return row;
}

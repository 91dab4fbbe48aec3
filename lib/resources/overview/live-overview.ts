import { createHash } from "node:crypto";
import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { oncePerProcess } from "@/lib/platform/process";
import type { DispatchStatus } from "./attention";
import type { Figures } from "./figures";
import type { InboxSummary } from "./inboxes";
import { loadOverview, type Overview } from "./service";

/** The parts of the overview that update in place. */
export interface LiveOverview {
  figures: Figures;
  inboxes: Pick<InboxSummary, "waiting" | "received" | "oldest">;
  dispatch: DispatchStatus;
  /** Changes whenever the lists do. */
  version: string;
}

/** For this long, all open pages of an organization share one response. */
const SHARED_MS = 2000;

/** The live parts of the caller's overview as JSON, or null for anonymous callers. */
export function sharedLiveOverview(caller: Caller): Promise<string> {
  const overviews = oncePerProcess("overview.overviews", () => new Map<string, Promise<string>>());
  const key = organizationOf(caller) ?? "";
  let overview = overviews.get(key);
  if (!overview) {
    overview = loadOverview(caller).then((overview) =>
      JSON.stringify(overview && liveOverview(overview)),
    );
    overviews.set(key, overview);
    setTimeout(() => overviews.delete(key), SHARED_MS).unref();
  }
  return overview;
}

export function liveOverview(overview: Overview): LiveOverview {
  const { figures, inboxes, dispatch, ...lists } = overview;
  const shown = [lists, inboxes.troubled.map(({ id }) => id)];
  return {
    figures,
    inboxes: { waiting: inboxes.waiting, received: inboxes.received, oldest: inboxes.oldest },
    dispatch,
    version: createHash("sha256").update(JSON.stringify(shown)).digest("base64url"),
  };
}

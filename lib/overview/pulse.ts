import { createHash } from "node:crypto";
import type { DispatchStatus } from "./attention";
import type { Figures } from "./figures";
import type { InboxSummary } from "./inboxes";
import type { Overview } from "./service";

/** The parts of the overview that update in place. */
export interface LiveOverview {
  figures: Figures;
  inboxes: Pick<InboxSummary, "waiting" | "oldest">;
  dispatch: Pick<DispatchStatus, "last" | "isLate">;
  /** Changes when the lists do. */
  mark: string;
}

export function liveOverview(overview: Overview): LiveOverview {
  const { figures, inboxes, dispatch, failed, due, newest } = overview;
  const lists = [
    [failed, due, newest, inboxes.troubled].map((rows) => rows.map(({ id }) => id)),
    dispatch.unclaimedAgents,
  ];
  return {
    figures,
    inboxes: { waiting: inboxes.waiting, oldest: inboxes.oldest },
    dispatch: { last: dispatch.last, isLate: dispatch.isLate },
    mark: createHash("sha256").update(JSON.stringify(lists)).digest("base64url"),
  };
}

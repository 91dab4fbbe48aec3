import { createHash } from "node:crypto";
import type { Dispatch } from "./attention";
import type { Figures } from "./figures";
import type { InboxesLook } from "./inboxes";
import type { Overview } from "./service";

/** What of the overview changes in place. */
export interface Pulse {
  figures: Figures;
  inboxes: Pick<InboxesLook, "waiting" | "oldest">;
  dispatch: Pick<Dispatch, "last" | "isLate">;
  /** Another one means that the lists show something else by now. */
  mark: string;
}

/** The live part of an overview. */
export function pulseOf(overview: Overview): Pulse {
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

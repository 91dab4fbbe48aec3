import { organizationOf } from "@/lib/accounts/access";
import type { Caller } from "@/lib/caller";
import {
  type DispatchStatus,
  type DueMessage,
  dispatchStatus,
  type FailedMessage,
  failedMessages,
  nextMessages,
} from "./attention";
import { type Figures, loadFigures } from "./figures";
import { type InboxSummary, summarizeInboxes } from "./inboxes";
import { listNewestResources, type ResourceLine } from "./newest";

export interface Overview {
  figures: Figures;
  inboxes: InboxSummary;
  dispatch: DispatchStatus;
  failed: FailedMessage[];
  due: DueMessage[];
  newest: ResourceLine[];
}

/** The overview of the caller's organization; null for anonymous callers. */
export async function loadOverview(caller: Caller): Promise<Overview | null> {
  const organizationId = organizationOf(caller);
  if (organizationId === null) return null;
  const [figures, inboxes, dispatch, failed, due, newest] = await Promise.all([
    loadFigures(organizationId),
    summarizeInboxes(organizationId),
    dispatchStatus(organizationId),
    failedMessages(organizationId),
    nextMessages(organizationId),
    listNewestResources(organizationId),
  ]);
  return { figures, inboxes, dispatch, failed, due, newest };
}

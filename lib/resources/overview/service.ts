import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { type Attention, loadAttention } from "./attention";
import { type Figures, loadFigures } from "./figures";
import { type InboxSummary, summarizeInboxes } from "./inboxes";
import { listNewestResources, type ResourceLine } from "./newest";

export interface Overview extends Attention {
  figures: Figures;
  inboxes: InboxSummary;
  newest: ResourceLine[];
}

/** The overview of the caller's organization; null for anonymous callers. */
export async function loadOverview(caller: Caller): Promise<Overview | null> {
  const organizationId = organizationOf(caller);
  if (organizationId === null) return null;
  const [figures, inboxes, attention, newest] = await Promise.all([
    loadFigures(organizationId),
    summarizeInboxes(organizationId),
    loadAttention(organizationId),
    listNewestResources(organizationId),
  ]);
  return { figures, inboxes, ...attention, newest };
}

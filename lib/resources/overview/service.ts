import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { type Attention, loadAttention } from "./attention";
import { type Coming, listComing } from "./coming";
import { type Figures, loadFigures } from "./figures";
import { type InboxSummary, summarizeInboxes } from "./inboxes";

export interface Overview extends Attention {
  figures: Figures;
  inboxes: InboxSummary;
  coming: Coming[];
}

/** The overview of the caller's organization; null for anonymous callers. */
export async function loadOverview(caller: Caller): Promise<Overview | null> {
  const organizationId = organizationOf(caller);
  if (organizationId === null) return null;
  const [figures, inboxes, attention, coming] = await Promise.all([
    loadFigures(organizationId),
    summarizeInboxes(organizationId),
    loadAttention(organizationId),
    listComing(organizationId),
  ]);
  return { figures, inboxes, ...attention, coming };
}

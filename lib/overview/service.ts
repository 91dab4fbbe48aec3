import { organizationOf } from "@/lib/accounts/access";
import type { Caller } from "@/lib/accounts/caller";
import { type Attention, attentionOf, type DueMessage, dueNext } from "./attention";
import { type Figures, figuresOf } from "./figures";
import { type NewResource, newestOf } from "./newest";

export interface Overview {
  figures: Figures;
  due: DueMessage[];
  attention: Attention;
  newest: NewResource[];
}

/** What the caller's organization did, what it waits for, and what needs a person; null: no organization. */
export async function overviewOf(caller: Caller): Promise<Overview | null> {
  const organizationId = organizationOf(caller);
  if (organizationId === null) return null;
  const [figures, due, attention, newest] = await Promise.all([
    figuresOf(organizationId),
    dueNext(organizationId),
    attentionOf(organizationId),
    newestOf(organizationId),
  ]);
  return { figures, due, attention, newest };
}

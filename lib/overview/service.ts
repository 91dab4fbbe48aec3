import { organizationOf } from "@/lib/accounts/access";
import type { Caller } from "@/lib/caller";
import {
  type Dispatch,
  type DueMessage,
  dispatchOf,
  dueNext,
  type FailedMessage,
  failedMessages,
} from "./attention";
import { type Figures, figuresOf } from "./figures";
import { type InboxesLook, lookIntoInboxes } from "./inboxes";
import { type NewResource, newestOf } from "./newest";

export interface Overview {
  figures: Figures;
  inboxes: InboxesLook;
  dispatch: Dispatch;
  failed: FailedMessage[];
  due: DueMessage[];
  newest: NewResource[];
}

/** What the caller's organization did, what it waits for, and what needs a person; null: no organization. */
export async function overviewOf(caller: Caller): Promise<Overview | null> {
  const organizationId = organizationOf(caller);
  if (organizationId === null) return null;
  const [figures, inboxes, dispatch, failed, due, newest] = await Promise.all([
    figuresOf(organizationId),
    lookIntoInboxes(organizationId),
    dispatchOf(organizationId),
    failedMessages(organizationId),
    dueNext(organizationId),
    newestOf(organizationId),
  ]);
  return { figures, inboxes, dispatch, failed, due, newest };
}

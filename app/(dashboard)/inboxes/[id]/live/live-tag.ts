import type { InboxStats } from "@/lib/inboxes/contract";

/** Changes with whatever happens to the events of an inbox, and not with time alone. */
export function liveTag({ ready, delayed, leased, dead, totals }: InboxStats): string {
  return [ready, delayed, leased, dead, ...Object.values(totals)].join(" ");
}

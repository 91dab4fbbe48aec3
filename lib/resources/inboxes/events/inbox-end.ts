/** How an event that forwards a captured one left its inbox, as recorded at the captured event. */
export interface InboxEnd {
  outcome: "acknowledged" | "replied" | "deleted" | "expired";
  /** Unix seconds. */
  at: number;
  /** True if it was dead by then. */
  was_dead: boolean;
  /** The last consumer to receive it. */
  consumer: string | null;
  deliveries: number;
  /** The first 1000 characters. */
  last_error: string | null;
}

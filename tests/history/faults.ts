// biome-ignore-all lint/suspicious/noTemplateCurlyInString: These are parts of templates.
import type { Violation } from "./checks/check";

/** A text of the service that occurs once, and what breaks it. */
export interface Fault {
  name: string;
  /** The function of the database that is changed; without one, the built server is. */
  of?: string;
  /** As the build has it. */
  from: string;
  to: string;
  /** The violations that show it. */
  shownBy: readonly Violation["kind"][];
}

/** One line of the service each, broken on purpose. */
export const FAULTS: readonly Fault[] = [
  {
    name: "receivers do not lock the events that they choose",
    of: "lease_events",
    from: "FOR UPDATE SKIP LOCKED",
    to: "",
    shownBy: ["two holders"],
  },
  {
    name: "an inbox gives the newest event first",
    of: "lease_events",
    from: "ORDER BY e.visible_at, e.id LIMIT",
    to: "ORDER BY e.visible_at DESC, e.id LIMIT",
    shownBy: ["order"],
  },
  {
    name: "an acknowledgement needs no valid lease",
    of: "delete_inbox_events",
    from: "(e.id, e.lease_id) IN (SELECT given.id, given.lease_id",
    to: "e.id IN (SELECT given.id",
    shownBy: ["two holders"],
  },
  {
    name: "one ingest in thirty is acknowledged and not stored",
    of: "ingest_events",
    from: "FROM unnest(stored) AS i;",
    to: "FROM unnest(stored) AS i WHERE random() > 0.03;",
    shownBy: ["lost"],
  },
  {
    name: "a repeat with an Idempotency-Key is done again",
    from: "OR known.owned_until <= unix_now()`",
    to: "OR true`",
    shownBy: ["double"],
  },
  {
    name: "lease-next takes tasks that are held",
    from: "AND NOT ${IS_HELD} AND ${matchesLabels(first.input)}",
    to: "AND ${matchesLabels(first.input)}",
    shownBy: ["two holders"],
  },
  {
    name: "a completion needs no valid lease",
    from: "AND (lease_holder IS NOT NULL OR labels @> '{done}')",
    to: "OR true",
    shownBy: ["two holders"],
  },
  {
    name: "If-Match is ignored",
    from: "if (header === null && !mustBeNew) return void 0;\n  const isAny",
    to: "return void 0;\n  const isAny",
    shownBy: ["double"],
  },
  {
    name: "dispatchers do not lock the messages that they choose",
    from: "AND due_at <= unix_now()\n      FOR UPDATE SKIP LOCKED",
    to: "AND due_at <= unix_now()",
    shownBy: ["double"],
  },
  {
    name: "a schedule passes over a time in the second of a dispatch",
    from: "&& next <= now)",
    to: "&& next < now)",
    shownBy: ["lost"],
  },
  {
    name: "a claim takes what has an owner",
    from: "AND organization_id IS NULL AND ${isWanted}",
    to: "AND ${isWanted}",
    shownBy: ["two holders"],
  },
  {
    name: "the feed goes beyond transactions that still run",
    from: "pg_snapshot_xmin(pg_current_snapshot())::text::bigint + change_xid_offset())`",
    to: "pg_snapshot_xmax(pg_current_snapshot())::text::bigint + change_xid_offset())`",
    shownBy: ["gap"],
  },
];

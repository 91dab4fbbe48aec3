import { isDeleted } from "@/lib/identity/organizations/deleted";
import { config } from "@/lib/platform/config/config";
import type { Row } from "@/lib/platform/db/columns";
import { type Sql, sql } from "@/lib/platform/db/sql";
import { isUnclaimed } from "@/lib/resources/storage/public-owners";
import type { HeldQueue } from "./unreachable-hosts";

/** The columns that decide whose turn it is. */
export type Queued = Row<"ScheduledMessage", "organization_id" | "host"> & {
  /** The organization, or the network of a public message's creator; '' if unknown. */
  lane: string;
};

/** How many deliveries are running: in total, of public messages, and per lane, host and both. */
export interface Busy {
  total: number;
  public: number;
  lanes: ReadonlyMap<string, number>;
  hosts: ReadonlyMap<string, number>;
  /** By `lane host`. */
  queues: ReadonlyMap<string, number>;
  /**
   * When lanes, and queues as `lane host`, last had a turn: a number that grows with each delivery that
   * starts. Those that have not had one for the longest time come first, so that no backlog takes
   * every slot that it frees.
   */
  last: Record<"lanes" | "queues", ReadonlyMap<string, number>>;
}

export const NONE: Busy = {
  total: 0,
  public: 0,
  lanes: new Map(),
  hosts: new Map(),
  queues: new Map(),
  last: { lanes: new Map(), queues: new Map() },
};

/** The counts with these messages added. */
export function busyWith(busy: Busy, messages: Queued[]): Busy {
  const lanes = new Map(busy.lanes);
  const hosts = new Map(busy.hosts);
  const queues = new Map(busy.queues);
  const add = (counts: Map<string, number>, key: string) =>
    counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { lane, host } of messages) {
    add(lanes, lane);
    add(hosts, host);
    add(queues, `${lane} ${host}`);
  }
  const more = messages.filter(({ organization_id }) => isUnclaimed(organization_id)).length;
  const total = busy.total + messages.length;
  return { total, public: busy.public + more, lanes, hosts, queues, last: busy.last };
}

/**
 * How many deliveries may run at once in a lane. All public lanes together have the slots of one
 * organization, and none takes more than half of them.
 */
export function laneMax(isPublic: boolean): number {
  const { deliveriesPerOrganizationMax } = config();
  return isPublic ? Math.ceil(deliveriesPerOrganizationMax / 2) : deliveriesPerOrganizationMax;
}

/**
 * Queries, the last named `chosen`, for the messages of `considered` to send next: in turn between
 * lanes and, within each, between hosts, as many as there are free slots. Lanes with fewer running
 * deliveries come first, then those that have waited longest for a turn; at a host, lanes take turns
 * in the same way. Excludes retries in the queues that are `held`, and messages of deleted
 * organizations. The search for `considered` does not exclude those: it would have to step over all
 * of them.
 */
export function turns(busy: Busy, held: HeldQueue[]): Sql {
  const { deliveriesMax, deliveriesPerHostMax, deliveriesPerOrganizationMax } = config();
  const column = (of: (queue: HeldQueue) => string) => sql`${held.map(of)}::text[]`;
  const lanes = [...busy.last.lanes.keys(), ...busy.lanes.keys()];
  const unclaimed = lanes.filter((lane) => lane.startsWith("org_") && isUnclaimed(lane));
  return sql`
    held AS (SELECT * FROM unnest(${column(({ lane }) => lane)}, ${column(({ host }) => host)}) AS given (lane, host)),
    busy_lane AS (SELECT * FROM ${unnested(busy.lanes)} AS given (lane, lane_running)),
    busy_host AS (SELECT * FROM ${unnested(busy.hosts)} AS given (host, host_running)),
    busy_queue AS (SELECT * FROM ${unnested(busy.queues)} AS given (queue, queue_running)),
    last_lane AS (SELECT * FROM ${unnested(busy.last.lanes)} AS given (lane, lane_turn)),
    last_queue AS (SELECT * FROM ${unnested(busy.last.queues)} AS given (queue, queue_turn)),
    in_queue AS (
      SELECT *, row_number() OVER (PARTITION BY lane, host ORDER BY due_at, id) AS place
      FROM considered WHERE NOT (is_retry AND (lane, host) IN (SELECT lane, host FROM held))
        AND NOT ${isDeleted(sql`lane`)}
    ),
    fitting AS (
      SELECT id, lane, host, due_at, is_public OR lane = ANY (${unclaimed}::text[]) AS is_public,
             COALESCE(host_running, 0) AS host_running,
             COALESCE(lane_turn, 0) AS lane_turn, COALESCE(queue_turn, 0) AS queue_turn,
             place + COALESCE(queue_running, 0) AS turn_at_host
      FROM in_queue LEFT JOIN busy_host USING (host) LEFT JOIN last_lane USING (lane)
        LEFT JOIN busy_queue ON busy_queue.queue = lane || ' ' || host
        LEFT JOIN last_queue ON last_queue.queue = lane || ' ' || host
      WHERE place + COALESCE(host_running, 0) <= ${deliveriesPerHostMax}::int
    ),
    in_lane AS (
      SELECT *, COALESCE(lane_running, 0)
             + row_number() OVER (PARTITION BY lane ORDER BY turn_at_host, queue_turn, due_at, id) AS turn
      FROM fitting LEFT JOIN busy_lane USING (lane)
    ),
    in_turn AS (
      SELECT *, row_number() OVER (PARTITION BY is_public ORDER BY turn, lane_turn, due_at, id) AS place
      FROM in_lane
      WHERE turn <= CASE WHEN is_public THEN ${laneMax(true)}::int ELSE ${laneMax(false)}::int END
    ),
    placed AS (
      SELECT *, host_running
             + row_number() OVER (PARTITION BY host ORDER BY turn_at_host, queue_turn, due_at, id) AS at_host
      FROM in_turn
      WHERE NOT is_public OR place <= ${deliveriesPerOrganizationMax - busy.public}::int
    ),
    chosen AS (
      SELECT id FROM placed WHERE at_host <= ${deliveriesPerHostMax}::int
      ORDER BY turn, lane_turn, due_at, id LIMIT ${Math.max(deliveriesMax - busy.total, 0)}
    )`;
}

function unnested(numbers: ReadonlyMap<string, number>): Sql {
  return sql`unnest(${[...numbers.keys()]}::text[], ${[...numbers.values()]}::bigint[])`;
}

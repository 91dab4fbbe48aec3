import { onceASecond } from "@/lib/platform/background/once-a-second";
import { query, sql } from "@/lib/platform/db/sql";

/** A capture whose signature was not valid. */
interface Failure {
  endpointId: string;
  organizationId: string;
  reason: string;
}

/** Counts a captured event of an organization whose signature was not valid. */
export const countFailedSignature = onceASecond<Failure>("Failed signatures", (failures) =>
  // (b) For all endpoints together. Locks rows in order, so that two processes never deadlock.
  query(sql`
    INSERT INTO signature_failures (organization_id, endpoint_id, hour, count, reason)
    SELECT endpoint.organization_id, endpoint.id, unix_now() / 3600, count(*),
           (array_agg(reason ORDER BY place DESC))[1]
    FROM unnest(${failures.map(({ endpointId }) => endpointId)}::text[],
                ${failures.map(({ organizationId }) => organizationId)}::text[],
                ${failures.map(({ reason }) => reason)}::text[])
         WITH ORDINALITY AS failure (endpoint_id, organization_id, reason, place)
    JOIN webhook_endpoints AS endpoint
      ON endpoint.id = failure.endpoint_id AND endpoint.organization_id = failure.organization_id
    GROUP BY endpoint.organization_id, endpoint.id ORDER BY endpoint.id
    ON CONFLICT (organization_id, hour, endpoint_id) DO UPDATE SET
      count = signature_failures.count + excluded.count, reason = excluded.reason`),
);

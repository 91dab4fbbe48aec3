import { type Sql, sql } from "@/lib/platform/db/sql";

/**
 * Records new share links in the log of their organization. `links` has each link's `id`,
 * `artifact_id`, `organization_id` and the `actor`.
 */
export function auditShares(links: Sql): Sql {
  // Like an event's ID, a link's ID starts with the time and is unique.
  return sql`
    INSERT INTO audit_events (id, organization_id, actor, action, data)
    SELECT 'evt_' || substr(id, 5), organization_id, actor, 'share.created',
           jsonb_build_object('share', id, 'artifact', artifact_id)
    FROM ${links} WHERE organization_id IS NOT NULL`;
}

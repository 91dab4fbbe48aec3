import { config } from "@/lib/platform/config/config";
import { type Sql, sql } from "@/lib/platform/db/sql";
import { idIn, signedId } from "@/lib/platform/signed-id";

export function shareUrl(shareId: string): string {
  return `${config().baseUrl}/a/${signedId("artifact-share", shareId)}`;
}

/** The share ID in the token of a link; undefined for an invalid token. */
export function shareIdOf(token: string): string | undefined {
  return idIn("artifact-share", "shr", token);
}

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

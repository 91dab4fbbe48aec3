import { createHash } from "node:crypto";

/**
 * The ID of a resource as third parties see it: its SHA-256 if the resource was created without a
 * key, since that ID grants access. Unaffected by a claim.
 */
export function shownIdOf(resource: { id: string; created_without_key: boolean }): string {
  if (!resource.created_without_key) return resource.id;
  return `sha256_${createHash("sha256").update(resource.id).digest("hex")}`;
}

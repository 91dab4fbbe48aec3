import { hash } from "node:crypto";

/**
 * A resource's ID as shown to third parties: its SHA-256 if the resource was created without a key,
 * since that ID grants access. Unaffected by a claim.
 */
export function shownIdOf(resource: { id: string; created_without_key: boolean }): string {
  if (!resource.created_without_key) return resource.id;
  return `sha256_${hash("sha256", resource.id, "hex")}`;
}

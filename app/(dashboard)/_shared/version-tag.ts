import { entityTag } from "@/lib/platform/http/conditional";

/** A tag that changes whenever the shown data does. */
export function versionTag(shown: object): string {
  return entityTag(JSON.stringify(shown));
}

import type { Scope } from "@/lib/platform/caller";
import type { Row } from "@/lib/platform/db/columns";
import { raw, type Sql, sql } from "@/lib/platform/db/sql";
import { oncePerProcess } from "@/lib/platform/process";
import { setBounded } from "@/lib/platform/set-bounded";
import { IS_LIVE, IS_LIVE_ALONE } from "./live-key";

const REMEMBERED_MS = 60_000;
const REMEMBERED_MAX = 10_000;

/** A live key, by its digest `key`. */
export type LiveKey = Row<"ApiKey", "id" | "organization_id" | "scopes"> & {
  key: string;
  meter: string;
  /** Whether it is the key of a registration. */
  is_registered: boolean;
};

/** Keys that were live when this process read them, by digest, with the time. */
const remembered = oncePerProcess<Map<string, { found: LiveKey; at: number }>>(
  "keys.remembered",
  () => new Map(),
);

export function rememberKey(found: LiveKey): void {
  setBounded(remembered, found.key, { found, at: performance.now() }, REMEMBERED_MAX);
}

export function forgetKey(digest: string): void {
  remembered.delete(digest);
}

/**
 * A key that was live within the last minute. It may have ended since, so it decides nothing: the
 * statement that reads or writes must ask `stillHas`.
 */
export function rememberedKey(digest: string): LiveKey | undefined {
  const known = remembered.get(digest);
  return known && performance.now() - known.at < REMEMBERED_MS ? known.found : undefined;
}

/** Whether a remembered key is live and has the scope; null if it does not exist. */
export function stillHas(scope: Scope, { id, organization_id, is_registered }: LiveKey): Sql {
  const isLive = is_registered ? IS_LIVE : IS_LIVE_ALONE;
  return sql`(
    SELECT '${raw(scope)}' = ANY (api_keys.scopes) AND ${isLive} FROM api_keys
    WHERE api_keys.id = ${id} AND api_keys.organization_id = ${organization_id})`;
}

import { expect } from "playwright/test";
import { onStatement } from "./sent-statements";

/**
 * Sees a server ask its database, within a second of a use, who answers for an organization. While public
 * data is not limited, only the sweep asks, too, for all of them, so also for one that nothing uses.
 */
export function lookUpReader(unused: string) {
  const seen = new Set<string>();
  return {
    /** For the proxy in front of the database. */
    read: onStatement((text, values) => {
      const isLookUp = text.includes("type = 'anonymous' AND claimed_at IS NULL");
      if (!isLookUp || values.includes(unused)) return;
      for (const id of values.match(/org_\w+/g) ?? []) seen.add(id);
    }),
    forget: () => seen.clear(),
    /** Waits until the server has asked for each of them. */
    async untilSeen(ids: string[]) {
      await expect.poll(() => ids.filter((id) => !seen.has(id))).toEqual([]);
    },
  };
}

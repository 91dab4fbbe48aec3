import { usePathname, useSearchParams } from "next/navigation";
import { useContext, useState } from "react";
import { BackgroundRefreshes } from "./auto-refresh";
import { useLiveList } from "./live-list";
import { hasOwnChange } from "./own-changes";

/**
 * What to show of `latest`, and a function that shows all of it. If the page refreshed
 * automatically while the person was reading, `hold` merges the shown content with the latest.
 */
export function useBuffered<Content>(
  latest: Content,
  hold: (shown: Content, latest: Content) => Content,
): [shown: Content, showLatest: () => void] {
  const refreshes = useContext(BackgroundRefreshes);
  const { isHeld } = useLiveList();
  const href = `${usePathname()}?${useSearchParams()}`;
  const [shown, show] = useState(latest);
  const [known, setKnown] = useState({ latest, refreshes, href });
  if (known.latest !== latest) {
    setKnown({ latest, refreshes, href });
    // What the person asked for, or changed, replaces a refresh that was under way.
    const isOwn = known.refreshes === refreshes || known.href !== href || hasOwnChange();
    show(isOwn || !isHeld ? latest : hold(shown, latest));
  } else if (!isHeld && shown !== latest) show(latest);
  return [shown, () => show(latest)];
}

/** How many IDs were added and removed. */
export function changeOf(shown: readonly string[], latest: readonly string[]) {
  const [old, current] = [new Set(shown), new Set(latest)];
  return {
    added: latest.filter((id) => !old.has(id)).length,
    removed: shown.filter((id) => !current.has(id)).length,
  };
}

import { useEffect, useRef } from "react";

const COUNTED = /^\(\d+\)( |$)/;

/** Shows in the tab's title how many rows arrived unseen or still wait behind a button. */
export function useTitleCount(ids: readonly string[], isWaiting: boolean): void {
  const seen = useRef<Set<string>>(null);
  useEffect(() => {
    const write = () => {
      const isSeen = document.visibilityState === "visible" && !isWaiting;
      if (isSeen || !seen.current) seen.current = new Set(ids);
      const count = ids.filter((id) => !seen.current?.has(id)).length;
      const title = document.title.replace(COUNTED, "");
      // Empty while one page replaces another.
      if (title === "") return;
      const wanted = count === 0 ? title : `(${count}) ${title}`;
      if (document.title !== wanted) document.title = wanted;
    };
    write();
    // A page that refreshes sets its title again.
    const observer = new MutationObserver(write);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    document.addEventListener("visibilitychange", write);
    return () => {
      observer.disconnect();
      document.removeEventListener("visibilitychange", write);
    };
  }, [ids, isWaiting]);
  useEffect(
    () => () => {
      document.title = document.title.replace(COUNTED, "");
    },
    [],
  );
}

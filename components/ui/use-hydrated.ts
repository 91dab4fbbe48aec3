import { useSyncExternalStore } from "react";

/** False in the server's HTML and until hydration, when a page must work without scripts. */
export function useHydrated() {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
}

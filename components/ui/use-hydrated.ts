import { useSyncExternalStore } from "react";

/** False in the server's HTML, and until the scripts run: for what must then work without them. */
export function useHydrated() {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
}

import { useCallback, useState } from "react";

/** A module that is loaded when the returned function is first called. A failed load is retried by the next call. */
export function useOnDemand<Module extends object>(
  load: () => Promise<Module>,
): [Module | undefined, () => void] {
  const [module, setModule] = useState<Module>();
  const request = useCallback(() => void load().then(setModule, () => {}), [load]);
  return [module, request];
}

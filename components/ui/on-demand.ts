import { useCallback, useState } from "react";

/** Returns a function that loads the module on its first call, and again after a failure. */
export function useOnDemand<Module extends object>(
  load: () => Promise<Module>,
): [Module | undefined, () => void] {
  const [module, setModule] = useState<Module>();
  const request = useCallback(() => void load().then(setModule, () => {}), [load]);
  return [module, request];
}

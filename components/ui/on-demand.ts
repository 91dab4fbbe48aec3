import { useCallback, useState } from "react";

/**
 * A module that is fetched when the function beside it is first called, and undefined until then.
 * What could not be fetched is asked for again by the next call.
 */
export function useOnDemand<Module extends object>(
  load: () => Promise<Module>,
): [Module | undefined, () => void] {
  const [module, setModule] = useState<Module>();
  const want = useCallback(() => void load().then(setModule, () => {}), [load]);
  return [module, want];
}

/**
 * The same for a popup: its button starts the fetch under the pointer or the focus, and waits for it
 * when it is pressed. From then on the popup brings the button, opened.
 */
export function useOnPress<Module extends object>(load: () => Promise<Module>) {
  const [popup, want] = useOnDemand(load);
  const prepare = () => void load().catch(() => {});
  return [popup, { onPointerEnter: prepare, onFocus: prepare, onClick: want }] as const;
}

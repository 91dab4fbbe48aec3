import type { Tab } from "./tabs";

/** The name of the tab that a query parameter selects, or of the first one. */
export function chosenTab(tabs: Tab[], wanted: string | undefined): string {
  const chosen = tabs.find(({ name }) => name.toLowerCase() === wanted) ?? tabs[0];
  return chosen?.name ?? "";
}

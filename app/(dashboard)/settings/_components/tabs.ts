/** The tabs of the settings by the value of the query parameter `tab`; the first has none. */
export const SETTINGS_TABS = {
  organization: "Organization",
  notices: "Notifications",
  developers: "Developers",
  you: "You",
} as const;

export type SettingsTab = keyof typeof SETTINGS_TABS;

/** The address of a tab, and of a part of it. */
export function settingsHref(tab: SettingsTab, part = ""): string {
  const query = tab === "organization" ? "" : `?tab=${tab}`;
  return `/settings${query}${part && `#${part}`}`;
}

/** The tabs of the settings by the value of the query parameter `tab`; the first has none. */
export const SETTINGS_TABS = {
  organization: "Organization",
  notices: "Notifications",
  developers: "Developers",
  you: "You",
} as const;

export type SettingsTab = keyof typeof SETTINGS_TABS;

/** The address of a tab. */
export function settingsHref(tab: SettingsTab): string {
  return tab === "organization" ? "/settings" : `/settings?tab=${tab}`;
}

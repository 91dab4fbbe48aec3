import type { IconName } from "@/components/ui/icon";
import { kinds } from "@/lib/resources/kinds";

/** A link of the rail or the palette. */
export interface NavItem {
  href: string;
  name: string;
  icon: IconName;
}

/** How many items the bottom bar of a narrow screen shows; the others are behind "More". */
export const BOTTOM_BAR_ITEMS = 4;

/** The links of the rail, in order. */
export const navItems: readonly NavItem[] = [
  { href: "/dashboard", name: "Overview", icon: "overview" },
  ...kinds.map(({ name, title }) => ({ href: `/${name}`, name: title, icon: name })),
  { href: "/keys", name: "Keys & agents", icon: "keys" },
  { href: "/settings", name: "Settings", icon: "settings" },
];

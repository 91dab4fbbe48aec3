import type { IconName } from "@/components/ui/icon";

interface NavItem {
  href: string;
  name: string;
  icon: IconName;
}

/** How many items the bottom bar of a narrow screen shows; the others are behind "More". */
export const BOTTOM_BAR_ITEMS = 4;

/** The links of the rail, in order. */
export const navItems: readonly NavItem[] = [
  { href: "/dashboard", name: "Overview", icon: "overview" },
  { href: "/tasks", name: "Tasks", icon: "tasks" },
  { href: "/webhooks", name: "Webhooks", icon: "webhooks" },
  { href: "/artifacts", name: "Artifacts", icon: "artifacts" },
  { href: "/messages", name: "Messages", icon: "messages" },
  { href: "/inboxes", name: "Inboxes", icon: "inboxes" },
  { href: "/keys", name: "Keys & agents", icon: "keys" },
  { href: "/settings", name: "Settings", icon: "settings" },
];

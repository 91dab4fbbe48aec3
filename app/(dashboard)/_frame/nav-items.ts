import type { IconName } from "@/components/ui/icon";

interface NavItem {
  href: string;
  name: string;
  icon: IconName;
}

/** How many places stand in the bar of a narrow screen; the others are behind "More". */
export const BOTTOM_BAR_ITEMS = 4;

/** Where the rail leads, in its order. */
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

import type { IconName } from "@/components/ui/icon";

interface Place {
  href: string;
  name: string;
  icon: IconName;
}

/** How many places stand in the bar of a narrow screen; the others are behind "More". */
export const IN_BAR = 4;

/** Where the rail leads, in its order. */
export const places: readonly Place[] = [
  { href: "/dashboard", name: "Overview", icon: "overview" },
  { href: "/tasks", name: "Tasks", icon: "tasks" },
  { href: "/webhooks", name: "Webhooks", icon: "webhooks" },
  { href: "/artifacts", name: "Artifacts", icon: "artifacts" },
  { href: "/messages", name: "Messages", icon: "messages" },
  { href: "/inboxes", name: "Inboxes", icon: "inboxes" },
  { href: "/keys", name: "Keys & agents", icon: "keys" },
  { href: "/settings", name: "Settings", icon: "settings" },
];

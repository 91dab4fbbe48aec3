import type { IconName } from "@/components/ui/icon";

interface Place {
  href: string;
  name: string;
  icon: IconName;
}

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

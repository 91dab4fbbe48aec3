"use client";

import { usePathname, useSearchParams } from "next/navigation";
import type { ReactNode } from "react";
import { LiveListProvider } from "@/components/ui/live-list";

/** New events appear automatically, unless an event is open or the endpoint is being edited. */
export function EventLiveness({ children }: { children: ReactNode }) {
  const isEventOpen = usePathname().includes("/events/");
  const isEditing = useSearchParams().has("edit");
  return <LiveListProvider isOpen={isEventOpen || isEditing}>{children}</LiveListProvider>;
}

"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { type ReactNode, useState } from "react";
import { LiveListContext } from "@/components/ui/live-list";
import { useReading } from "@/components/ui/use-reading";

/** New events appear automatically, unless an event is open or the endpoint is being edited. */
export function EventLiveness({ children }: { children: ReactNode }) {
  const [isPaused, setPaused] = useState(false);
  const isReading = useReading();
  const isOpen = usePathname().includes("/events/");
  const isEditing = useSearchParams().has("edit");
  const isHeld = isOpen || isEditing || isPaused || isReading;
  return (
    <LiveListContext value={{ isOff: false, isPaused, setPaused, isHeld }}>
      {children}
    </LiveListContext>
  );
}

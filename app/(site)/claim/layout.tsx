import type { ReactNode } from "react";
import { getTimeZone } from "@/app/_shared/display-settings";
import { TimeZoneProvider } from "@/components/ui/time";

/** Shows times in the visitor's time zone. */
export default async function ZonedLayout({ children }: { children: ReactNode }) {
  return <TimeZoneProvider zone={await getTimeZone()}>{children}</TimeZoneProvider>;
}

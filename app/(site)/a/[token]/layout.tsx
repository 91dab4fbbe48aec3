import type { ReactNode } from "react";
import { getTimeZone } from "@/app/_shared/display-settings";
import { TimeZoneProvider } from "@/components/ui/time";

export default async function ShareLayout({ children }: { children: ReactNode }) {
  return <TimeZoneProvider zone={await getTimeZone()}>{children}</TimeZoneProvider>;
}

import type { ReactNode } from "react";
import { getTimeZone } from "@/app/_shared/display-settings";
import { SiteFrame } from "@/components/site/frame";
import { TimeZoneProvider } from "@/components/ui/time-zone";
import { END_MESSAGES } from "@/lib/artifacts/shared";
import { shared } from "./shared";

interface Props {
  params: Promise<{ token: string }>;
  children: ReactNode;
}

/**
 * Explains why a link shows nothing. Next does not tell a "not found" page its address, so the
 * layout shows the text and the page only sets the status.
 */
export default async function ShareLayout({ params, children }: Props) {
  const { ended } = await shared((await params).token);
  if (ended === null) {
    return <TimeZoneProvider zone={await getTimeZone()}>{children}</TimeZoneProvider>;
  }
  return (
    <SiteFrame>
      <article className="mx-auto max-w-[40rem] py-12 lg:py-20">
        <p className="font-mono text-small text-muted">404</p>
        <h1 className="mt-1 text-title font-semibold tracking-tight">This link shows nothing</h1>
        <p className="mt-4 text-muted">{END_MESSAGES[ended]}</p>
        <p className="mt-4">Ask the person who sent it to you for a new one.</p>
        {children}
      </article>
    </SiteFrame>
  );
}

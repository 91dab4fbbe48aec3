import type { ReactNode } from "react";
import { SiteCard } from "@/components/site/card";

/** The card of the authorization page. */
export function ConsentCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <SiteCard icon="keys" kind="Connect a client" title={title} width="max-w-[28rem]">
      <div className="p-5 sm:p-6">{children}</div>
    </SiteCard>
  );
}

import type { ReactNode } from "react";
import { SiteCard } from "@/components/site/card";
import type { Audience } from "@/lib/platform/caller";

/** The card of the authorization page. */
export function ConsentCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <SiteCard icon="keys" kind="Connect a client" title={title} width="max-w-[28rem]">
      <div className="p-5 sm:p-6">{children}</div>
    </SiteCard>
  );
}

/** A fact that a person should know before they decide. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-small text-muted">{name}</dt>
      <dd className="wrap-anywhere text-muted">{children}</dd>
    </div>
  );
}

/** What the client's tokens are good for. */
export function reachOf(audience: Audience): string {
  const way = audience === "mcp" ? "MCP" : "the API";
  return `Your organization’s resources, through ${way}`;
}

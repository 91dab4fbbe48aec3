import type { Metadata } from "next";
import { requireSignIn } from "@/app/_shared/session";
import { InvitationsToYou } from "@/app/(dashboard)/_shared/invitations-to-you";
import { PageHeader } from "@/components/ui/page-header";
import { PageSection } from "@/components/ui/page-section";
import { listReceivedInvitations } from "@/lib/identity/organizations/invitations";
import { mayWrite } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { newestChanges } from "@/lib/resources/changes/newest";
import { kindOf } from "@/lib/resources/kinds";
import { liveOverview } from "@/lib/resources/overview/live-overview";
import { loadOverview } from "@/lib/resources/overview/service";
import { DueNext } from "./_components/due-next";
import { FirstSteps } from "./_components/first-steps";
import { LiveChanges } from "./_components/live-changes";
import { LiveFigures } from "./_components/live-figures";
import { NeedsAttention } from "./_components/needs-attention";
import { Newest } from "./_components/newest";
import { createFirst } from "./actions";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewPage() {
  const { caller, account } = await requireSignIn("/dashboard");
  const [overview, changes, invitations] = await Promise.all([
    loadOverview(caller),
    newestChanges(caller),
    listReceivedInvitations(caller),
  ]);
  if (!overview || overview.newest.length === 0) {
    return (
      <>
        <PageHeader title="Overview" />
        <InvitationsToYou invitations={invitations} />
        <FirstSteps
          baseUrl={config().baseUrl}
          create={mayWrite(caller) ? createFirst : undefined}
          formId={crypto.randomUUID()}
        />
      </>
    );
  }
  const newest = overview.newest.flatMap((resource) => {
    const kind = kindOf(resource.id);
    return kind ? [{ ...resource, href: `/${kind.name}/${resource.id}`, icon: kind.name }] : [];
  });
  const live = liveOverview(overview);
  return (
    <>
      <LiveFigures key={`${account.organization.id} ${live.version}`} shown={live} />
      <InvitationsToYou invitations={invitations} />
      <div className="xl:grid xl:grid-cols-2 xl:divide-x xl:divide-line">
        <PageSection title="Needs attention">
          <NeedsAttention {...overview} />
        </PageSection>
        <PageSection title="Due next">
          <DueNext messages={overview.due} />
        </PageSection>
      </div>
      <PageSection title="Newest">
        <Newest resources={newest} />
      </PageSection>
      {changes.length > 0 && (
        <PageSection title="Changes">
          <LiveChanges key={account.organization.id} shown={changes} />
        </PageSection>
      )}
    </>
  );
}

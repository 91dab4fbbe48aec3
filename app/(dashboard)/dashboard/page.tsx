import type { Metadata } from "next";
import { requireSignIn } from "@/app/_shared/session";
import { InvitationsToYou } from "@/app/(dashboard)/_shared/invitations-to-you";
import { PageHeader } from "@/components/ui/page-header";
import { PageSection } from "@/components/ui/page-section";
import { listReceivedInvitations } from "@/lib/identity/organizations/invitations";
import { mayWrite } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { newestActivity } from "@/lib/resources/overview/activity";
import { liveOverview } from "@/lib/resources/overview/live-overview";
import { loadOverview } from "@/lib/resources/overview/service";
import { ComingNext } from "./_components/coming-next";
import { FirstSteps } from "./_components/first-steps";
import { LiveActivity } from "./_components/live-activity";
import { LiveFigures } from "./_components/live-figures";
import { NeedsAttention } from "./_components/needs-attention";
import { WaitingQuestions } from "./_components/waiting-questions";
import { createFirst } from "./actions";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewPage() {
  const { caller, account } = await requireSignIn("/dashboard");
  const [overview, activity, invitations] = await Promise.all([
    loadOverview(caller),
    newestActivity(caller),
    listReceivedInvitations(caller),
  ]);
  if (!overview || overview.isEmpty) {
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
  const live = liveOverview(overview);
  return (
    <>
      <LiveFigures key={`${account.organization.id} ${live.version}`} shown={live}>
        <WaitingQuestions questions={overview.questions} mayAnswer={caller.kind === "user"} />
        <NeedsAttention overview={overview} mayAct={mayWrite(caller)} />
      </LiveFigures>
      <InvitationsToYou invitations={invitations} />
      <div className="xl:grid xl:grid-cols-2 xl:divide-x xl:divide-line">
        <PageSection title="Next">
          <ComingNext coming={overview.coming} />
        </PageSection>
        {activity.length > 0 && (
          <PageSection title="Activity">
            <LiveActivity key={account.organization.id} shown={activity} />
          </PageSection>
        )}
      </div>
    </>
  );
}

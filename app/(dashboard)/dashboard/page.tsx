import type { Metadata } from "next";
import type { SearchParams } from "@/app/_shared/query";
import { requireSignIn } from "@/app/_shared/session";
import { InvitationsToYou } from "@/app/(dashboard)/_shared/invitations-to-you";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { PageSection } from "@/components/ui/page-section";
import { listReceivedInvitations } from "@/lib/identity/organizations/invitations";
import { mayWrite } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { kinds } from "@/lib/resources/kinds";
import { newestActivity } from "@/lib/resources/overview/activity";
import { loadMap } from "@/lib/resources/overview/map";
import { liveOverview, loadOverview } from "@/lib/resources/overview/service";
import { rangeOf } from "@/lib/resources/overview/trends";
import { ComingNext } from "./_components/coming-next";
import { FirstSteps } from "./_components/first-steps";
import { LiveActivity } from "./_components/live-activity";
import { LiveCharts } from "./_components/live-charts";
import { NeedsAttention } from "./_components/needs-attention";
import { ResourceMap } from "./_components/resource-map";
import { WaitingQuestions } from "./_components/waiting-questions";
import { drawn } from "./draw-trends";

export const metadata: Metadata = { title: "Overview" };

/** The look of a part below the figures. */
const PART = "border-line max-xl:border-b";

export default async function OverviewPage(props: { searchParams: Promise<SearchParams> }) {
  const { caller, account } = await requireSignIn("/dashboard");
  const params = await props.searchParams;
  const range = rangeOf(params.range);
  const [overview, map, activity, invitations] = await Promise.all([
    loadOverview(caller, range),
    loadMap(account.organization.id),
    newestActivity(caller),
    listReceivedInvitations(caller),
  ]);
  if (!overview || overview.made.length === 0 || "steps" in params) {
    return (
      <>
        <PageHeader title="Overview" />
        <InvitationsToYou invitations={invitations} />
        <FirstSteps
          baseUrl={config().baseUrl}
          made={overview?.made ?? []}
          hasKey={overview?.hasKey === true}
          canWrite={mayWrite(caller)}
          isPerson={caller.kind === "user"}
          formId={crypto.randomUUID()}
        />
      </>
    );
  }
  const shown = drawn(liveOverview(overview));
  return (
    <>
      <LiveCharts
        key={`${account.organization.id} ${range} ${shown.version}`}
        shown={shown}
        steps={<MoreSteps made={overview.made.length} hasKey={overview.hasKey} />}
      >
        <WaitingQuestions
          questions={overview.questions}
          count={overview.openQuestions}
          mayAnswer={caller.kind === "user"}
        />
        <NeedsAttention overview={overview} mayAct={mayWrite(caller)} />
      </LiveCharts>
      <InvitationsToYou invitations={invitations} />
      <div className="xl:-mb-8 xl:grid xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] xl:divide-x xl:divide-line">
        <PageSection className={PART} title="Map" intro="What went where since the last full hour">
          <ResourceMap map={map} />
        </PageSection>
        <div>
          <PageSection className={PART} title="Next">
            <ComingNext coming={overview.coming} />
          </PageSection>
          {activity.length > 0 && (
            <PageSection className={PART} title="Activity">
              <LiveActivity key={account.organization.id} shown={activity} />
            </PageSection>
          )}
        </div>
      </div>
    </>
  );
}

function MoreSteps({ made, hasKey }: { made: number; hasKey: boolean }) {
  if (made === kinds.length) return null;
  return (
    <Link href="/dashboard?steps" className="text-small text-muted hover:text-ink">
      First steps: {made + Number(hasKey)} of {kinds.length + 1}
    </Link>
  );
}

import type { Metadata } from "next";
import { resourceKindOf } from "@/app/resources";
import { signedIn } from "@/app/session";
import { DueNext } from "@/components/overview/due-next";
import { Figures } from "@/components/overview/figures";
import { FirstSteps } from "@/components/overview/first-steps";
import { NeedsAttention } from "@/components/overview/needs-attention";
import { Newest } from "@/components/overview/newest";
import { PageHeader } from "@/components/ui/page-header";
import { Part } from "@/components/ui/part";
import { config } from "@/lib/config";
import { overviewOf } from "@/lib/overview/service";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewPage() {
  const { caller } = await signedIn("/dashboard");
  const overview = await overviewOf(caller);
  const newest = (overview?.newest ?? []).flatMap((resource) => {
    const kind = resourceKindOf(resource.id);
    return kind ? [{ ...resource, href: `${kind.path}/${resource.id}`, icon: kind.icon }] : [];
  });
  return (
    <>
      <PageHeader title="Overview" />
      {!overview || newest.length === 0 ? (
        <FirstSteps baseUrl={config().baseUrl} />
      ) : (
        <>
          <Figures figures={overview.figures} />
          <div className="xl:grid xl:grid-cols-2 xl:divide-x xl:divide-line">
            <Part title="Needs attention">
              <NeedsAttention attention={overview.attention} />
            </Part>
            <Part title="Due next">
              <DueNext messages={overview.due} />
            </Part>
          </div>
          <Part title="Newest">
            <Newest resources={newest} />
          </Part>
        </>
      )}
    </>
  );
}

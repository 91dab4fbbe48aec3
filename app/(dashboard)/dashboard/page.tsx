import type { Metadata } from "next";
import { resourceKindOf } from "@/app/resources";
import { signedIn } from "@/app/session";
import { FirstSteps } from "@/components/overview/first-steps";
import { Newest } from "@/components/overview/newest";
import { PageHeader } from "@/components/ui/page-header";
import { Part } from "@/components/ui/part";
import { config } from "@/lib/config";
import { newestOf } from "@/lib/overview/newest";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewPage() {
  const { caller } = await signedIn("/dashboard");
  const newest = await newestOf(caller);
  return (
    <>
      <PageHeader title="Overview" />
      {newest.length === 0 ? (
        <FirstSteps baseUrl={config().baseUrl} />
      ) : (
        <Part title="Newest">
          <Newest
            resources={newest.flatMap((resource) => {
              const kind = resourceKindOf(resource.id);
              return kind
                ? [{ ...resource, href: `${kind.path}/${resource.id}`, icon: kind.icon }]
                : [];
            })}
          />
        </Part>
      )}
    </>
  );
}

import { queryParam, withQuery } from "@/app/_shared/query";
import { type ResourcePage, readOnce, resourceMetadata } from "@/app/_shared/resources";
import { visitor } from "@/app/_shared/session";
import { readOrNotFound } from "@/app/(dashboard)/_shared/read-or-not-found";
import { DocumentFrame } from "@/components/ui/document-frame";
import { PageHeader } from "@/components/ui/page-header";
import { TabList, TabPanel, Tabs } from "@/components/ui/tabs";
import { mayWrite } from "@/lib/platform/caller";
import * as artifacts from "@/lib/resources/artifacts/service";
import { listShares } from "@/lib/resources/artifacts/shares";
import { allVersions } from "@/lib/resources/artifacts/versions";
import { ArtifactBar } from "../_components/artifact-bar";
import { ArtifactFacts } from "../_components/artifact-facts";
import { ArtifactForm } from "../_components/artifact-form";
import { ArtifactHistory } from "../_components/artifact-history";
import { ArtifactSource } from "../_components/artifact-source";
import { ShareLink } from "../_components/share-link";

export const generateMetadata = resourceMetadata;

const SHARES_SHOWN = { limit: 20, include: "total_count" };

export default async function ArtifactPage({ params, searchParams }: ResourcePage) {
  const { id } = await params;
  const search = await searchParams;
  const { caller, account } = await visitor();
  const here = `/artifacts/${id}`;
  const [artifact, versions, links] = await readOrNotFound(withQuery(here, search), () =>
    Promise.all([
      readOnce(artifacts.get, caller, id),
      allVersions(caller, id),
      listShares(caller, id, SHARES_SHOWN),
    ]),
  );
  const canWrite = mayWrite(caller);
  const isEditing = canWrite && queryParam(search, "edit") === "1";
  const view = queryParam(search, "view") === "source" ? "Source" : "Document";
  return (
    <Tabs chosen={isEditing ? null : view}>
      <PageHeader
        title={artifact.name}
        {...(account && { up: { name: "Artifacts", href: "/artifacts" } })}
        action={<ArtifactBar artifact={artifact} canWrite={canWrite} isEditing={isEditing} />}
      >
        <TabList
          label="View"
          tabs={[
            { name: "Document", href: here },
            { name: "Source", href: `${here}?view=source` },
          ]}
        />
      </PageHeader>
      <div className="xl:grid xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0">
          {isEditing ? (
            <div className="px-4 py-4 sm:px-6">
              <ArtifactForm closeHref={here} artifact={artifact} canPreview={account !== null} />
            </div>
          ) : (
            <TabPanel of={view}>
              {view === "Document" ? (
                <DocumentFrame
                  src={`${here}/view`}
                  title={artifact.name}
                  format={artifact.format}
                  className="h-[70dvh] sm:h-[calc(100dvh-7.5rem)]"
                />
              ) : (
                <ArtifactSource
                  key={artifact.updated_at}
                  content={artifact.content}
                  format={artifact.format}
                  href={`${here}/raw`}
                />
              )}
            </TabPanel>
          )}
        </div>
        <aside
          aria-label="About this artifact"
          className="border-line p-4 max-xl:border-t sm:p-6 xl:border-l"
        >
          {canWrite && (
            <ShareLink
              id={id}
              formId={crypto.randomUUID()}
              isPublic={artifact.organization_id === null}
              links={links.data}
              count={links.total_count ?? links.data.length}
            />
          )}
          <ArtifactFacts artifact={artifact} />
          <ArtifactHistory id={id} versions={versions} />
        </aside>
      </div>
    </Tabs>
  );
}

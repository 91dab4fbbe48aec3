import { queryParam, withQuery } from "@/app/_shared/query";
import { openPage, type ResourcePage, readOnce, resourceMetadata } from "@/app/_shared/resources";
import { readOrNotFound } from "@/app/(dashboard)/_shared/read-or-not-found";
import { bytes } from "@/components/ui/bytes";
import { CopyText } from "@/components/ui/copy";
import { DeleteButton } from "@/components/ui/delete-button";
import { DocumentFrame } from "@/components/ui/document-frame";
import { Fact, Facts } from "@/components/ui/facts";
import { Icon } from "@/components/ui/icon";
import { lineCount } from "@/components/ui/line-count";
import { Menu } from "@/components/ui/menu";
import { PageHeader } from "@/components/ui/page-header";
import { CopyCall, EditLink } from "@/components/ui/pane";
import { Pills } from "@/components/ui/pills";
import { ResourceFacts } from "@/components/ui/resource-facts";
import * as artifacts from "@/lib/resources/artifacts/service";
import { listShares } from "@/lib/resources/artifacts/shares";
import { allVersions } from "@/lib/resources/artifacts/versions";
import { ArtifactForm } from "../_components/artifact-form";
import { ArtifactHistory } from "../_components/artifact-history";
import { ArtifactSource } from "../_components/artifact-source";
import { formatWords } from "../_components/artifact-table";
import { ShareLink } from "../_components/share-link";
import { deleteArtifact } from "../actions";

export const generateMetadata = resourceMetadata;

const SHARES_SHOWN = { limit: 20, include: "total_count" };

export default async function ArtifactPage(props: ResourcePage) {
  const { id, search, caller, account, canWrite, isEditing } = await openPage(props);
  const here = `/artifacts/${id}`;
  const [artifact, versions, links] = await readOrNotFound(withQuery(here, search), () =>
    Promise.all([
      readOnce(artifacts.get, caller, id),
      allVersions(caller, id),
      listShares(caller, id, SHARES_SHOWN),
    ]),
  );
  const view = queryParam(search, "view") === "source" ? "Source" : "Document";
  return (
    <>
      <PageHeader
        title={artifact.name}
        {...(account && { up: { name: "Artifacts", href: "/artifacts" } })}
        action={
          <div className="flex flex-wrap gap-2">
            {canWrite && !isEditing && (
              <EditLink href={`${here}?edit=1`} className="button button-primary" />
            )}
            <Menu>
              <a href={`${here}/raw?download=1`} className="button" download>
                <Icon name="download" />
                Download
              </a>
              <CopyCall path={`artifacts/${id}`} of={artifact} />
              {canWrite && (
                <DeleteButton
                  noun="artifact"
                  consequence="Deletes the document and its history, and ends its share links. This cannot be undone."
                  action={deleteArtifact}
                  fields={{ id }}
                />
              )}
            </Menu>
          </div>
        }
      >
        <Pills
          label="View"
          pills={[
            { name: "Document", href: here, chosen: !isEditing && view === "Document" },
            {
              name: "Source",
              href: `${here}?view=source`,
              chosen: !isEditing && view === "Source",
            },
          ]}
        />
      </PageHeader>
      <div className="xl:grid xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0">
          {isEditing ? (
            <div className="px-4 py-4 sm:px-6">
              <ArtifactForm closeHref={here} artifact={artifact} canPreview={account !== null} />
            </div>
          ) : view === "Document" ? (
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
          <Facts>
            <Fact name="Format">{formatWords(artifact.format)}</Fact>
            <Fact name="Size">
              {bytes(artifact.size)}, {lineCount(artifact.content)}
            </Fact>
            <Fact name="ID">
              <CopyText text={artifact.id} />
            </Fact>
            <ResourceFacts of={artifact} />
          </Facts>
          <ArtifactHistory id={id} versions={versions} />
        </aside>
      </div>
    </>
  );
}

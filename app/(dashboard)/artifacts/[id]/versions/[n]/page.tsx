import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { queryParam, withQuery } from "@/app/_shared/query";
import { metadataOf, openPage, type ResourcePage, readOnce } from "@/app/_shared/resources";
import { readOrNotFound } from "@/app/(dashboard)/_shared/read-or-not-found";
import { bytes } from "@/components/ui/bytes";
import { DocumentFrame } from "@/components/ui/document-frame";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { Pills } from "@/components/ui/pills";
import { Time } from "@/components/ui/time";
import * as artifacts from "@/lib/resources/artifacts/service";
import { allVersions, getVersion } from "@/lib/resources/artifacts/versions";
import { stableTag } from "@/lib/resources/version";
import { authorWords } from "../../../_components/artifact-history";
import { ArtifactSource } from "../../../_components/artifact-source";
import { formatWords } from "../../../_components/artifact-table";
import { VersionBar } from "../../../_components/version-bar";
import { VersionChanges } from "../../../_components/version-changes";

export async function generateMetadata({ params }: ResourcePage<{ n: string }>): Promise<Metadata> {
  const { id, n } = await params;
  const metadata = await metadataOf(id);
  if (metadata.title === "Not found") return metadata;
  return { ...metadata, title: `${metadata.title}, version ${n}` };
}

const VIEWS = { document: "Document", source: "Source", changes: "Changes" } as const;

function isView(text: string): text is keyof typeof VIEWS {
  return Object.hasOwn(VIEWS, text);
}

export default async function VersionPage(props: ResourcePage<{ n: string }>) {
  const { id, n, search, caller, canWrite } = await openPage(props);
  const up = `/artifacts/${id}`;
  const here = `${up}/versions/${n}`;
  const [artifact, versions] = await readOrNotFound(withQuery(here, search), () =>
    Promise.all([readOnce(artifacts.get, caller, id), allVersions(caller, id)]),
  );
  const version = versions.find(({ number }) => String(number) === n);
  if (!version) notFound();
  const isCurrent = version === versions[0];
  const others = versions.filter((one) => one.kept && one !== version);
  const wanted = queryParam(search, "view") ?? "";
  // People open a version to see its changes, if there is another to compare it with.
  const usual = others.length > 0 ? "changes" : "document";
  const view = VIEWS[isView(wanted) ? wanted : usual];
  return (
    <>
      <PageHeader
        title={`Version ${version.number}`}
        up={{ name: artifact.name, href: up }}
        count={`of ${versions[0]?.number}`}
        action={
          !isCurrent &&
          version.kept && (
            <VersionBar
              id={id}
              number={version.number}
              tag={canWrite ? stableTag(artifact) : null}
            />
          )
        }
      >
        {version.kept && (
          <Pills
            label="View"
            pills={(["changes", "document", "source"] as const).map((one) => ({
              name: VIEWS[one],
              href: `${here}?view=${one}`,
              chosen: VIEWS[one] === view,
            }))}
          />
        )}
        <p className="mt-1 text-small text-muted">
          {isCurrent && "The current version. "}
          {[
            version.name === artifact.name ? "" : version.name,
            formatWords(version.format),
            bytes(version.size),
            authorWords(version),
          ]
            .filter(Boolean)
            .join(", ")}
          , <Time unix={version.created_at} />
        </p>
      </PageHeader>
      {version.kept ? (
        <>
          {view === "Document" && (
            <DocumentFrame
              src={`${here}/view`}
              title={version.name}
              format={version.format}
              className="h-[70dvh] sm:h-[calc(100dvh-7.5rem)]"
            />
          )}
          {view === "Source" && (
            <ArtifactSource
              content={(await getVersion(caller, id, n)).content}
              format={version.format}
              href={`${here}/raw`}
            />
          )}
          {view === "Changes" && (
            <VersionChanges
              caller={caller}
              id={id}
              version={version}
              others={others}
              chosen={queryParam(search, "with")}
            />
          )}
        </>
      ) : (
        <p className="px-4 py-6 text-muted sm:px-6">
          The content of this version is no longer kept.{" "}
          <Link href={up} className="link">
            See the current version
          </Link>
        </p>
      )}
    </>
  );
}

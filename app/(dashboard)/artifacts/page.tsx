import type { Metadata } from "next";
import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { requireSignIn } from "@/app/_shared/session";
import { countOf, moreHref, rangeParams } from "@/app/(dashboard)/_shared/listing";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import { versionTag } from "@/app/(dashboard)/_shared/version-tag";
import { NoMatches } from "@/components/ui/no-matches";
import { ResourceIndex } from "@/components/ui/resource-index";
import { SearchBox } from "@/components/ui/search-box";
import { mayWrite } from "@/lib/platform/caller";
import * as artifacts from "@/lib/resources/artifacts/service";
import { ArtifactForm } from "./_components/artifact-form";
import { ArtifactTable } from "./_components/artifact-table";
import { createArtifact } from "./actions";

export const metadata: Metadata = { title: "Artifacts" };

export default async function ArtifactsPage(props: { searchParams: Promise<SearchParams> }) {
  const params = await props.searchParams;
  const { caller } = await requireSignIn(withQuery("/artifacts", params));
  const creating = queryParam(params, "new") === "1";
  const q = queryParam(params, "q") || undefined;
  const list = await readShown(params, (part) => artifacts.list(caller, part, q));
  return (
    <ResourceIndex
      kind="artifacts"
      {...(q && { exported: null })}
      count={countOf(list)}
      newHref={mayWrite(caller) ? "/artifacts?new=1" : undefined}
      form={
        creating && (
          <ArtifactForm
            action={createArtifact}
            closeHref="/artifacts"
            formId={crypto.randomUUID()}
            canPreview
          />
        )
      }
      filters={
        list.total_count !== 0 && <SearchBox label="Search names" value={q ?? ""} keep={{}} />
      }
      isEmpty={list.total_count === 0}
      about="An artifact is a Markdown or HTML document, shown here and shared by a link that can be revoked."
      moreHref={moreHref("/artifacts", { q }, params, list)}
      live={{
        href: creating || q ? undefined : withQuery("/artifacts/live", { ...rangeParams(params) }),
        shown: versionTag(list),
        topic: "artifacts",
      }}
    >
      {list.data.length > 0 && <ArtifactTable artifacts={list.data} />}
      {list.data.length === 0 && q && <NoMatches noun="artifacts" allHref="/artifacts" />}
    </ResourceIndex>
  );
}

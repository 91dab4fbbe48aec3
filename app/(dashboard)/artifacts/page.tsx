import type { Metadata } from "next";
import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { requireSignIn } from "@/app/_shared/session";
import { countOf, moreHref, rangeParams, readShown } from "@/app/(dashboard)/_shared/listing";
import { markOf } from "@/app/(dashboard)/_shared/mark";
import { ResourceIndex } from "@/components/ui/resource-index";
import * as artifacts from "@/lib/artifacts/service";
import { mayWrite } from "@/lib/caller";
import { ArtifactForm } from "./_components/artifact-form";
import { ArtifactTable } from "./_components/artifact-table";
import { createArtifact } from "./actions";

export const metadata: Metadata = { title: "Artifacts" };

export default async function ArtifactsPage(props: { searchParams: Promise<SearchParams> }) {
  const params = await props.searchParams;
  const { caller } = await requireSignIn(withQuery("/artifacts", params));
  const creating = queryParam(params, "new") === "1";
  const list = await readShown(params, (part) => artifacts.list(caller, part));
  return (
    <ResourceIndex
      kind="artifacts"
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
      isEmpty={list.total_count === 0}
      about="An artifact is a Markdown or HTML document, shown here and shared by a link that can be revoked."
      moreHref={moreHref("/artifacts", {}, params, list)}
      live={{
        href: creating ? undefined : withQuery("/artifacts/live", { ...rangeParams(params) }),
        shown: markOf(list),
        topic: "artifacts",
      }}
    >
      {list.data.length > 0 && <ArtifactTable artifacts={list.data} />}
    </ResourceIndex>
  );
}

import type { Metadata } from "next";
import { address, one, type SearchParams } from "@/app/address";
import { countOf, moreHref, readShown } from "@/app/listing";
import { signedIn } from "@/app/session";
import { ArtifactForm } from "@/components/artifacts/artifact-form";
import { ArtifactTable } from "@/components/artifacts/artifact-table";
import { curl } from "@/components/ui/curl";
import { Lesson } from "@/components/ui/lesson";
import { LoadMore } from "@/components/ui/load-more";
import { NewButton } from "@/components/ui/new-button";
import { NewForm } from "@/components/ui/new-form";
import { PageHeader } from "@/components/ui/page-header";
import * as artifacts from "@/lib/artifacts/service";
import { config } from "@/lib/config";
import { createArtifact } from "./actions";

export const metadata: Metadata = { title: "Artifacts" };

export default async function ArtifactsPage(props: { searchParams: Promise<SearchParams> }) {
  const params = await props.searchParams;
  const { caller } = await signedIn(address("/artifacts", params));
  const creating = one(params, "new") === "1";
  const list = await readShown(params, (part) => artifacts.list(caller, part));
  return (
    <>
      <PageHeader
        title="Artifacts"
        count={countOf(list)}
        action={
          <NewButton href="/artifacts?new=1" primary>
            New artifact
          </NewButton>
        }
      />
      {creating && (
        <NewForm label="New artifact">
          <ArtifactForm
            action={createArtifact}
            closeHref="/artifacts"
            formId={crypto.randomUUID()}
            canPreview
          />
        </NewForm>
      )}
      {list.total_count === 0 && !creating && (
        <Lesson
          title="No artifacts yet"
          text="An artifact is a Markdown or HTML document, shown here and shared by a link that can be revoked. An agent makes one with this call; you make one with the button."
          command={curl(`${config().baseUrl}/api/artifacts`, {
            body: { name: "Report", content: "# Hello" },
          })}
          action={<NewButton href="/artifacts?new=1">New artifact</NewButton>}
        />
      )}
      {list.data.length > 0 && <ArtifactTable artifacts={list.data} />}
      <LoadMore href={moreHref("/artifacts", {}, params, list)} />
    </>
  );
}

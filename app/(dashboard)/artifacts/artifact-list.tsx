import { address, one, type SearchParams } from "@/app/address";
import { countOf, moreOf, readUpTo, shownOf } from "@/app/listing";
import { ArtifactForm } from "@/components/artifacts/artifact-form";
import { ArtifactTable } from "@/components/artifacts/artifact-table";
import { curl } from "@/components/ui/curl";
import { Lesson } from "@/components/ui/lesson";
import { ListPage } from "@/components/ui/list-page";
import type { Caller } from "@/lib/accounts/caller";
import { ArtifactListQuery } from "@/lib/artifacts/contract";
import * as artifacts from "@/lib/artifacts/service";
import { config } from "@/lib/config";
import { createArtifact } from "./actions";

interface Props {
  caller: Caller;
  params: SearchParams;
  openId?: string;
}

/** The list of documents: its own page, and the left side of a document's. */
export async function ArtifactList({ caller, params, openId }: Props) {
  const shown = shownOf(params);
  const after = ArtifactListQuery.shape.after.safeParse(one(params, "after")).data;
  const list = await readUpTo(shown, after, (page) => artifacts.list(caller, page));
  const more = moreOf(list, shown);
  return (
    <ListPage
      title="Artifacts"
      count={countOf(list)}
      create={{ href: "/artifacts?new=1", label: "New artifact" }}
      more={more && address("/artifacts", more)}
      allHref={after && "/artifacts"}
      form={
        one(params, "new") === "1" && (
          <ArtifactForm
            action={createArtifact}
            formId={crypto.randomUUID()}
            closeHref="/artifacts"
          />
        )
      }
      lesson={
        <Lesson
          title="No artifacts yet"
          text="An artifact is a document in Markdown or HTML. It is rendered here, and shared by a link that can be revoked."
          command={curl(`${config().baseUrl}/api/artifacts`, {
            body: { name: "Report", content: "# Hello" },
          })}
          action={
            <a href="/artifacts?new=1" className="button">
              New artifact
            </a>
          }
        />
      }
    >
      {list.data.length > 0 ? (
        <ArtifactTable
          artifacts={list.data}
          hrefOf={({ id }) => address(`/artifacts/${id}`, { shown: one(params, "shown") })}
          openId={openId}
        />
      ) : undefined}
    </ListPage>
  );
}

import type { Metadata } from "next";
import { indexPage } from "@/app/(dashboard)/_shared/index-page";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import { versionTag } from "@/lib/platform/http/conditional";
import * as artifacts from "@/lib/resources/artifacts/service";
import { summariesOf } from "@/lib/resources/artifacts/summaries";
import { ArtifactForm } from "./_components/artifact-form";
import { ArtifactTable } from "./_components/artifact-table";

export const metadata: Metadata = { title: "Artifacts" };

export default indexPage({
  kind: "artifacts",
  searched: "names",
  about:
    "An artifact is a Markdown or HTML document, shown here and shared by a link that can be revoked.",
  async read(caller, params, words) {
    const list = await readShown(caller, params, (part) => artifacts.list(caller, part, words));
    const ids = list.data.map(({ id }) => id);
    const summaries = await summariesOf(caller, ids);
    const table = <ArtifactTable artifacts={list.data} summaries={summaries} />;
    return { list, version: versionTag(list), table };
  },
  form: (closeHref) => <ArtifactForm closeHref={closeHref} canPreview />,
});

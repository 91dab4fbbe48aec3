import type { Metadata } from "next";
import { indexPage } from "@/app/(dashboard)/_shared/index-page";
import { ArtifactForm } from "./_components/artifact-form";
import { ArtifactTable } from "./_components/artifact-table";
import { readArtifacts } from "./_components/listed";

export const metadata: Metadata = { title: "Artifacts" };

export default indexPage({
  kind: "artifacts",
  searched: "names",
  about:
    "An artifact is a Markdown or HTML document, shown here and shared by a link that can be revoked.",
  async read(caller, params, words) {
    const { list, summaries, version } = await readArtifacts(caller, params, words);
    const table = <ArtifactTable artifacts={list.data} summaries={summaries} />;
    return { list, version, table };
  },
  form: (closeHref) => <ArtifactForm closeHref={closeHref} canPreview />,
});

import type { Metadata } from "next";
import { indexPage } from "@/app/(dashboard)/_shared/index-page";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import { versionTag } from "@/app/(dashboard)/_shared/version-tag";
import * as artifacts from "@/lib/resources/artifacts/service";
import { ArtifactForm } from "./_components/artifact-form";
import { ArtifactTable } from "./_components/artifact-table";
import { createArtifact } from "./actions";

export const metadata: Metadata = { title: "Artifacts" };

export default indexPage({
  kind: "artifacts",
  searched: "names",
  about:
    "An artifact is a Markdown or HTML document, shown here and shared by a link that can be revoked.",
  async read(caller, params, words) {
    const list = await readShown(params, (part) => artifacts.list(caller, part, words));
    return { list, version: versionTag(list), table: <ArtifactTable artifacts={list.data} /> };
  },
  form: (opened) => <ArtifactForm action={createArtifact} canPreview {...opened} />,
});

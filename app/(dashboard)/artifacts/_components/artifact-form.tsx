import { formFields, Shown } from "@/components/ui/form-fields";
import { ResourceForm } from "@/components/ui/resource-form";
import { type Artifact, ArtifactCreate } from "@/lib/resources/artifacts/contract";
import { createArtifact, updateArtifact } from "../actions";
import { ContentEditor } from "./content-editor";

interface Props {
  closeHref: string;
  artifact?: Artifact;
  canPreview: boolean;
}

/** Creates or edits an artifact. */
export function ArtifactForm({ artifact, canPreview, closeHref }: Props) {
  const field = formFields(ArtifactCreate, artifact);
  const content = artifact?.content.replaceAll(/\r\n?/g, "\n") ?? "";
  return (
    <ResourceForm
      action={artifact ? updateArtifact : createArtifact}
      closeHref={closeHref}
      resource={artifact}
      create="Create artifact"
      className="grid gap-3 sm:grid-cols-3"
      conflict={artifact && <Conflict id={artifact.id} />}
    >
      {field("name", { className: "sm:col-span-2" })}
      {field("format", {
        options: [
          ["markdown", "Markdown"],
          ["html", "HTML"],
        ],
      })}
      {artifact && <Shown name="content" value={content} />}
      <ContentEditor defaultValue={content} rows={artifact ? 24 : 10} canPreview={canPreview} />
    </ResourceForm>
  );
}

/** Offers to look at the newer version, which stays in the history. */
function Conflict({ id }: { id: string }) {
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2 sm:col-span-full">
      <a href={`/artifacts/${id}?view=source`} target="_blank" rel="noreferrer" className="button">
        See theirs in a new tab
      </a>
      <span className="text-muted">The history keeps both.</span>
    </p>
  );
}

import { Submit } from "@/components/ui/action-form";
import { InputField, SelectField } from "@/components/ui/field";
import { ResourceForm, type ResourceFormProps } from "@/components/ui/resource-form";
import type { Artifact } from "@/lib/resources/artifacts/contract";
import { ContentEditor } from "./content-editor";

interface Props extends ResourceFormProps {
  /** The artifact to edit. */
  artifact?: Artifact;
  canPreview: boolean;
}

/** Creates or edits an artifact. */
export function ArtifactForm({ artifact, canPreview, ...form }: Props) {
  const shown = {
    name: artifact?.name.replaceAll(/[\r\n]/g, "") ?? "",
    format: artifact?.format ?? "markdown",
    content: artifact?.content.replaceAll(/\r\n?/g, "\n") ?? "",
  };
  return (
    <ResourceForm
      {...form}
      id={artifact?.id}
      shown={shown}
      create="Create artifact"
      className="grid gap-3 sm:grid-cols-3"
      conflict={artifact && <Conflict id={artifact.id} />}
    >
      <InputField
        label="Name"
        className="sm:col-span-2"
        name="name"
        required
        defaultValue={shown.name}
      />
      <SelectField label="Format" name="format" defaultValue={shown.format}>
        <option value="markdown">Markdown</option>
        <option value="html">HTML</option>
      </SelectField>
      <ContentEditor
        defaultValue={shown.content}
        rows={artifact ? 24 : 10}
        canPreview={canPreview}
      />
    </ResourceForm>
  );
}

/** Offers to compare with the newer version before the user overwrites it. */
function Conflict({ id }: { id: string }) {
  return (
    <p className="flex flex-wrap items-center gap-2 sm:col-span-full">
      <a href={`/artifacts/${id}?view=source`} target="_blank" rel="noreferrer" className="button">
        See theirs in a new tab
      </a>
      <Submit name="over" value="1" className="button button-danger">
        Save mine over theirs
      </Submit>
    </p>
  );
}

import { ActionForm, type FormAction, Submit } from "@/components/ui/action-form";
import { Field } from "@/components/ui/field";
import { FormButtons } from "@/components/ui/form-buttons";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import type { Artifact } from "@/lib/artifacts/contract";
import { entityTag } from "@/lib/http/conditional";
import { ContentEditor } from "./content-editor";

interface Props {
  action: FormAction;
  closeHref: string;
  /** Names this showing of the form for a new one. */
  formId?: string;
  /** The artifact to edit and its ETag. */
  artifact?: Artifact;
  tag?: string;
  canPreview: boolean;
}

/** Writes an artifact, or changes one. */
export function ArtifactForm(props: Props) {
  const { action, closeHref, formId, artifact, tag, canPreview } = props;
  const shown = {
    name: artifact?.name.replaceAll(/[\r\n]/g, "") ?? "",
    format: artifact?.format ?? "markdown",
    content: artifact?.content.replaceAll(/\r\n?/g, "\n") ?? "",
  };
  return (
    <ActionForm
      action={action}
      className="grid gap-3 sm:grid-cols-3"
      conflict={artifact && <Conflict id={artifact.id} />}
    >
      <UnsavedGuard />
      {formId && <input type="hidden" name="form" value={formId} />}
      {artifact && <input type="hidden" name="id" value={artifact.id} />}
      {tag && <input type="hidden" name="tag" value={tag} />}
      {artifact &&
        Object.entries(shown).map(([name, value]) => (
          <input key={name} type="hidden" name={`shown_${name}`} value={entityTag(value)} />
        ))}
      <Field label="Name" className="sm:col-span-2">
        {(id) => <input id={id} name="name" required defaultValue={shown.name} className="field" />}
      </Field>
      <Field label="Format">
        {(id) => (
          <select id={id} name="format" defaultValue={shown.format} className="field">
            <option value="markdown">Markdown</option>
            <option value="html">HTML</option>
          </select>
        )}
      </Field>
      <ContentEditor
        defaultValue={shown.content}
        rows={artifact ? 24 : 10}
        canPreview={canPreview}
      />
      <FormButtons submit={artifact ? "Save changes" : "Create artifact"} closeHref={closeHref} />
    </ActionForm>
  );
}

/** Nothing is lost and nobody overwrites by accident: who has looked at the other version decides. */
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

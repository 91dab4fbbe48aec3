import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Field } from "@/components/ui/field";
import { FormButtons } from "@/components/ui/form-buttons";
import type { Artifact } from "@/lib/artifacts/contract";

interface Props {
  action: FormAction;
  closeHref: string;
  /** Names this showing of the form for a new one. */
  formId?: string;
  /** The artifact to edit and its ETag. */
  artifact?: Artifact;
  tag?: string;
}

/** Writes an artifact, or changes one. */
export function ArtifactForm({ action, closeHref, formId, artifact, tag }: Props) {
  const shown = {
    name: artifact?.name.replaceAll(/[\r\n]/g, "") ?? "",
    format: artifact?.format ?? "markdown",
    content: artifact?.content.replaceAll(/\r\n?/g, "\n") ?? "",
  };
  return (
    <ActionForm action={action} className="grid gap-3 sm:grid-cols-3">
      {formId && <input type="hidden" name="form" value={formId} />}
      {artifact && <input type="hidden" name="id" value={artifact.id} />}
      {tag && <input type="hidden" name="tag" value={tag} />}
      {artifact &&
        Object.entries(shown).map(([name, value]) => (
          <input key={name} type="hidden" name={`shown_${name}`} value={value} />
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
      <Field label="Content" className="sm:col-span-3">
        {(id) => (
          <textarea
            id={id}
            name="content"
            rows={artifact ? 24 : 10}
            defaultValue={shown.content}
            className="field font-mono"
          />
        )}
      </Field>
      <FormButtons submit={artifact ? "Save changes" : "Create artifact"} closeHref={closeHref} />
    </ActionForm>
  );
}

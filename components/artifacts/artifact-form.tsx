import { ActionForm, type FormAction, Submit } from "@/components/ui/action-form";
import { Field } from "@/components/ui/field";
import type { Artifact } from "@/lib/artifacts/contract";

interface Props {
  action: FormAction;
  formId: string;
  closeHref: string;
  artifact?: Artifact;
  tag?: string;
}

/** Writes a document, or changes one. */
export function ArtifactForm({ action, formId, closeHref, artifact, tag }: Props) {
  return (
    <ActionForm action={action} className="grid gap-3 sm:grid-cols-6">
      <input type="hidden" name="form" value={formId} />
      {artifact && <input type="hidden" name="id" value={artifact.id} />}
      {tag && <input type="hidden" name="tag" value={tag} />}
      <Field label="Name" className="sm:col-span-4">
        {(id) => (
          <input id={id} name="name" required defaultValue={artifact?.name} className="field" />
        )}
      </Field>
      <Field label="Format" className="sm:col-span-2">
        {(id) => (
          <select
            id={id}
            name="format"
            defaultValue={artifact?.format ?? "markdown"}
            className="field"
          >
            <option value="markdown">Markdown</option>
            <option value="html">HTML</option>
          </select>
        )}
      </Field>
      <Field label="Content" className="sm:col-span-6">
        {(id) => (
          <textarea
            id={id}
            name="content"
            rows={artifact ? 20 : 8}
            defaultValue={artifact?.content}
            spellCheck={false}
            className="field font-mono text-small"
          />
        )}
      </Field>
      <div className="flex gap-2 sm:col-span-6">
        <Submit>{artifact ? "Save changes" : "Create artifact"}</Submit>
        <a href={closeHref} className="button">
          Cancel
        </a>
      </div>
    </ActionForm>
  );
}

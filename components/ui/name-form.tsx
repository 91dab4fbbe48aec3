import { ActionForm, type FormAction, Submit } from "./action-form";
import { Field } from "./field";

interface Props {
  action: FormAction;
  formId: string;
  closeHref: string;
  submit: string;
  /** How many events it keeps when the field is left alone. */
  maxEvents: number;
  name?: string;
  description?: string | null;
  id?: string;
  tag?: string;
}

/** Creates or changes what has a name, a description and a limit of events. */
export function NameForm(props: Props) {
  const { action, formId, closeHref, submit, maxEvents, name, description, id, tag } = props;
  return (
    <ActionForm action={action} className="grid gap-3 sm:grid-cols-6">
      <input type="hidden" name="form" value={formId} />
      {id && <input type="hidden" name="id" value={id} />}
      {tag && <input type="hidden" name="tag" value={tag} />}
      <Field label="Name" className="sm:col-span-4">
        {(field) => <input id={field} name="name" required defaultValue={name} className="field" />}
      </Field>
      <Field label="Events at most" className="sm:col-span-2">
        {(field) => (
          <input
            id={field}
            name="max_events"
            type="number"
            min={1}
            max={10_000}
            defaultValue={maxEvents}
            required
            className="field"
          />
        )}
      </Field>
      <Field label="Description" className="sm:col-span-6">
        {(field) => (
          <input id={field} name="description" defaultValue={description ?? ""} className="field" />
        )}
      </Field>
      <div className="flex gap-2 sm:col-span-6">
        <Submit>{submit}</Submit>
        <a href={closeHref} className="button">
          Cancel
        </a>
      </div>
    </ActionForm>
  );
}

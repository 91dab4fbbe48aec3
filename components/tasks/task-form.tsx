import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Field } from "@/components/ui/field";
import { FormButtons } from "@/components/ui/form-buttons";
import { priorities, type Task } from "@/lib/tasks/contract";
import { LabelsField } from "./labels-field";

interface Props {
  action: FormAction;
  /** What names this showing of the form: a second press of its button is the same submission. */
  formId: string;
  closeHref: string;
  /** The task to edit and its ETag; none: a new one. */
  task?: Task;
  tag?: string;
}

/** Creates a task, or changes one in place. */
export function TaskForm({ action, formId, closeHref, task, tag }: Props) {
  const due = localTime(task?.due_at);
  return (
    <ActionForm action={action} className="grid gap-3 sm:grid-cols-6">
      <input type="hidden" name="form" value={formId} />
      {task && tag && (
        <>
          <input type="hidden" name="id" value={task.id} />
          <input type="hidden" name="tag" value={tag} />
          <Shown name="name" value={withoutBreaks(task.name)} />
          <Shown name="description" value={task.description ?? ""} />
          <Shown name="priority" value={task.priority} />
          <Shown name="due_at" value={due} />
          <Shown name="external_id" value={withoutBreaks(task.external_id ?? "")} />
        </>
      )}
      <Field label="Name" className="sm:col-span-6">
        {(id) => <input id={id} name="name" required defaultValue={task?.name} className="field" />}
      </Field>
      <Field label="Description" className="sm:col-span-6">
        {(id) => (
          <textarea
            id={id}
            name="description"
            rows={task ? 8 : 3}
            defaultValue={task?.description ?? ""}
            className="field field-sizing-content max-h-[60dvh] min-h-20"
          />
        )}
      </Field>
      <Field label="Priority" className="sm:col-span-3">
        {(id) => (
          <select id={id} name="priority" defaultValue={task?.priority ?? "low"} className="field">
            {priorities.map((priority) => (
              <option key={priority}>{priority}</option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Due" hint="UTC" className="sm:col-span-3">
        {(id) => (
          <input
            id={id}
            type="datetime-local"
            name="due_at"
            step={60}
            defaultValue={due}
            className="field"
          />
        )}
      </Field>
      <Field label="External ID" hint="your own name for it" className="sm:col-span-6">
        {(id) => (
          <input
            id={id}
            name="external_id"
            autoComplete="off"
            spellCheck={false}
            defaultValue={task?.external_id ?? ""}
            className="field font-mono"
          />
        )}
      </Field>
      <LabelsField labels={task?.labels ?? []} />
      <FormButtons submit={task ? "Save changes" : "Create task"} closeHref={closeHref} />
    </ActionForm>
  );
}

/** What the form showed, as a browser sends it back when nobody touches it. */
function Shown({ name, value }: { name: string; value: string }) {
  return <input type="hidden" name={`shown_${name}`} value={value.replaceAll("\r\n", "\n")} />;
}

/** A text as a field of one line shows it. */
function withoutBreaks(text: string): string {
  return text.replaceAll(/[\r\n]/g, "");
}

/** As `datetime-local` wants it, in UTC; empty where a calendar ends. */
function localTime(unix: number | null | undefined): string {
  if (unix === null || unix === undefined || unix < -62_135_596_800 || unix > 253_402_300_799) {
    return "";
  }
  return new Date(unix * 1000).toISOString().slice(0, 16);
}

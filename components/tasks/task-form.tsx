import { ActionForm, type FormAction, Submit } from "@/components/ui/action-form";
import { Field } from "@/components/ui/field";
import { priorities, type Task } from "@/lib/tasks/contract";

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
      {task && <input type="hidden" name="id" value={task.id} />}
      {tag && <input type="hidden" name="tag" value={tag} />}
      {task && <Shown name="name" value={task.name.replaceAll(/[\r\n]/g, "")} />}
      {task && <Shown name="description" value={task.description ?? ""} />}
      {task && <Shown name="priority" value={task.priority} />}
      {task && <Shown name="due_at" value={due} />}
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
            className="field"
          />
        )}
      </Field>
      <Field label="Priority" className="sm:col-span-2">
        {(id) => (
          <select id={id} name="priority" defaultValue={task?.priority ?? "low"} className="field">
            {priorities.map((priority) => (
              <option key={priority}>{priority}</option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Due" hint="UTC" className="sm:col-span-2">
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
      <Field label="Labels to add" hint="a, b" className="sm:col-span-2">
        {(id) => <input id={id} name="more_labels" className="field" />}
      </Field>
      {task && task.labels.length > 0 && (
        <fieldset className="flex flex-wrap gap-x-4 gap-y-1 sm:col-span-6">
          <legend className="mb-1 text-small text-muted">Labels</legend>
          {task.labels.map((label) => (
            <label key={label} className="flex max-w-full items-center gap-1.5">
              <input type="checkbox" name="label" value={label} defaultChecked />
              <span className="truncate">{label}</span>
            </label>
          ))}
        </fieldset>
      )}
      <div className="flex gap-2 sm:col-span-6">
        <Submit>{task ? "Save changes" : "Create task"}</Submit>
        <a href={closeHref} className="button">
          Cancel
        </a>
      </div>
    </ActionForm>
  );
}

/** What the form showed, as a browser sends it back when nobody touches it. */
function Shown({ name, value }: { name: string; value: string }) {
  return <input type="hidden" name={`shown_${name}`} value={value.replaceAll("\r\n", "\n")} />;
}

/** As `datetime-local` wants it, in UTC; empty where a calendar ends. */
function localTime(unix: number | null | undefined): string {
  if (unix === null || unix === undefined || unix < -62_135_596_800 || unix > 253_402_300_799) {
    return "";
  }
  return new Date(unix * 1000).toISOString().slice(0, 16);
}

import { Field } from "@/components/ui/field";
import { InstantField } from "@/components/ui/instant-field";
import { ResourceForm, type ResourceFormProps } from "@/components/ui/resource-form";
import { TextArea } from "@/components/ui/text-area";
import { priorities, type Task } from "@/lib/resources/tasks/contract";
import { LabelsField } from "./labels-field";

interface Props extends ResourceFormProps {
  /** The task to edit; undefined for a new one. */
  task?: Task;
  /** The labels to suggest, best first. */
  knownLabels: string[];
}

/** Creates a task, or changes one in place. */
export function TaskForm({ task, knownLabels, ...form }: Props) {
  const shown = {
    name: withoutBreaks(task?.name ?? ""),
    description: task?.description ?? "",
    priority: task?.priority ?? "low",
    external_id: withoutBreaks(task?.external_id ?? ""),
  };
  return (
    <ResourceForm
      {...form}
      id={task?.id}
      shown={shown}
      create="Create task"
      className="grid gap-3 sm:grid-cols-6"
    >
      <Field label="Name" className="sm:col-span-6">
        {(id) => <input id={id} name="name" required defaultValue={shown.name} className="field" />}
      </Field>
      <Field label="Description" className="sm:col-span-6">
        {(id) => (
          <TextArea
            id={id}
            name="description"
            rows={task ? 8 : 3}
            defaultValue={shown.description}
            className="field field-sizing-content max-h-[60dvh] min-h-20"
          />
        )}
      </Field>
      <Field label="Priority" className="sm:col-span-3">
        {(id) => (
          <select id={id} name="priority" defaultValue={shown.priority} className="field">
            {priorities.map((priority) => (
              <option key={priority}>{priority}</option>
            ))}
          </select>
        )}
      </Field>
      <InstantField label="Due" name="due_at" unix={task?.due_at} className="sm:col-span-3" />
      <Field label="External ID" hint="your own identifier" className="sm:col-span-6">
        {(id) => (
          <input
            id={id}
            name="external_id"
            autoComplete="off"
            spellCheck={false}
            defaultValue={shown.external_id}
            className="field font-mono"
          />
        )}
      </Field>
      <LabelsField labels={task?.labels ?? []} known={knownLabels} />
    </ResourceForm>
  );
}

/** The text as a single-line field shows it. */
function withoutBreaks(text: string): string {
  return text.replaceAll(/[\r\n]/g, "");
}

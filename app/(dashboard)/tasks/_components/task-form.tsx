import { formFields } from "@/components/ui/form-fields";
import { InstantField } from "@/components/ui/instant-field";
import { capitalized } from "@/components/ui/label-of";
import { ResourceForm } from "@/components/ui/resource-form";
import { priorities, type Task, TaskCreate } from "@/lib/resources/tasks/contract";
import { createTask, updateTask } from "../actions";
import { LabelsField } from "./labels-field";

interface Props {
  closeHref: string;
  /** The task to edit; undefined for a new one. */
  task?: Task;
  /** The labels to suggest, best first. */
  knownLabels: string[];
}

const PRIORITIES = priorities.map((one) => [one, capitalized(one)] as const);

/** Creates a task, or changes one in place. */
export function TaskForm({ task, knownLabels, closeHref }: Props) {
  const field = formFields(TaskCreate, task);
  return (
    <ResourceForm
      action={task ? updateTask : createTask}
      closeHref={closeHref}
      resource={task}
      create="Create task"
      className="grid gap-3 sm:grid-cols-6"
    >
      {field("name", { className: "sm:col-span-6" })}
      {field("description", {
        className: "sm:col-span-6",
        rows: task ? 8 : 3,
        look: "field field-sizing-content max-h-[60dvh] min-h-20",
      })}
      {field("priority", { className: "sm:col-span-3", preset: "low", options: PRIORITIES })}
      <InstantField label="Due" name="due_at" unix={task?.due_at} className="sm:col-span-3" />
      {field("external_id", {
        hint: "your own identifier",
        autoComplete: "off",
        spellCheck: false,
        className: "sm:col-span-6",
        look: "field font-mono",
      })}
      <LabelsField labels={task?.labels ?? []} known={knownLabels} />
    </ResourceForm>
  );
}

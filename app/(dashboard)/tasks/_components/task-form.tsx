import { InputField, SelectField } from "@/components/ui/field";
import { InstantField } from "@/components/ui/instant-field";
import { ResourceForm, type ResourceFormProps } from "@/components/ui/resource-form";
import { TextAreaField } from "@/components/ui/text-area";
import { sentenceOf } from "@/lib/platform/http/schema-fields";
import { priorities, type Task, TaskCreate } from "@/lib/resources/tasks/contract";
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
      <InputField
        label="Name"
        className="sm:col-span-6"
        name="name"
        required
        defaultValue={shown.name}
      />
      <TextAreaField
        label="Description"
        className="sm:col-span-6"
        name="description"
        rows={task ? 8 : 3}
        defaultValue={shown.description}
        look="field field-sizing-content max-h-[60dvh] min-h-20"
      />
      <SelectField
        label="Priority"
        className="sm:col-span-3"
        name="priority"
        title={sentenceOf(TaskCreate, "priority")}
        defaultValue={shown.priority}
      >
        {priorities.map((priority) => (
          <option key={priority}>{priority}</option>
        ))}
      </SelectField>
      <InstantField label="Due" name="due_at" unix={task?.due_at} className="sm:col-span-3" />
      <InputField
        label="External ID"
        hint="your own identifier"
        className="sm:col-span-6"
        name="external_id"
        title={sentenceOf(TaskCreate, "external_id")}
        autoComplete="off"
        spellCheck={false}
        defaultValue={shown.external_id}
        look="field font-mono"
      />
      <LabelsField labels={task?.labels ?? []} known={knownLabels} />
    </ResourceForm>
  );
}

/** The text as a single-line field shows it. */
function withoutBreaks(text: string): string {
  return text.replaceAll(/[\r\n]/g, "");
}

import { QuestionState } from "@/app/_shared/question-state";
import { titleOf } from "@/app/_shared/resources";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { InputField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import type { Blocker } from "@/lib/resources/tasks/blockers";
import type { Task } from "@/lib/resources/tasks/contract";
import { addBlockerTo, removeBlockerOf } from "../actions";
import { ProgressBadge } from "./task-badges";

interface Props {
  taskId: string;
  blockers: Blocker[];
  hrefOf(task: Task): string;
  canWrite: boolean;
  /** Only an organization's tasks can be found by name. */
  byName: boolean;
}

export function TaskBlockers({ taskId, blockers, hrefOf, canWrite, byName }: Props) {
  if (blockers.length === 0 && !canWrite) return null;
  return (
    <section aria-label="Blockers" className="mt-6 border-t border-line pt-4">
      {blockers.length > 0 && (
        <>
          <h2 className="mb-1 font-semibold">Blockers</h2>
          <p className="mb-3 text-small text-muted">
            Workers get this task once all of these are done, answered or deleted. A question that
            asks for approval must be approved.
          </p>
          <ul className="mb-3">
            {blockers.map((blocker) => (
              <li key={blocker.id} className="flex items-center gap-2 border-b border-line py-1.5">
                {blocker.object === "task" ? (
                  <ProgressBadge labels={blocker.labels} />
                ) : (
                  <QuestionState question={blocker} />
                )}
                <Link
                  href={blocker.object === "task" ? hrefOf(blocker) : `/questions/${blocker.id}`}
                  className="link min-w-0 flex-1 truncate"
                >
                  {titleOf(blocker)}
                </Link>
                {canWrite && (
                  <ActionForm action={removeBlockerOf} fields={{ id: taskId }}>
                    <button
                      type="submit"
                      name="blocker"
                      value={blocker.id}
                      aria-label={`Remove the blocker ${titleOf(blocker)}`}
                      className="button"
                    >
                      Remove
                    </button>
                  </ActionForm>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {canWrite && (
        <details>
          <summary className="button w-fit">Add a blocker</summary>
          <ActionForm action={addBlockerTo} className="mt-3" fields={{ id: taskId }}>
            <div className="flex flex-wrap items-end gap-2">
              <InputField
                label={byName ? "Name or ID of a task" : "ID of a task"}
                className="min-w-0 flex-1"
                name="blocker"
                required
                maxLength={200}
                autoComplete="off"
                spellCheck={false}
              />
              <Submit className="button">Add blocker</Submit>
            </div>
          </ActionForm>
        </details>
      )}
    </section>
  );
}

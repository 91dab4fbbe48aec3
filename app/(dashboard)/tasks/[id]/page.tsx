import { queryParam, withQuery } from "@/app/_shared/query";
import { openPage, type ResourcePage, resourceMetadata } from "@/app/_shared/resources";
import { partsOf } from "@/app/(dashboard)/_shared/parts";
import { readOrNotFound } from "@/app/(dashboard)/_shared/read-or-not-found";
import { RunFact } from "@/app/(dashboard)/_shared/run-fact";
import { BesideList } from "@/components/ui/list-and-detail";
import { historyOf } from "@/lib/resources/changes/history";
import { listBlockers } from "@/lib/resources/tasks/blockers";
import { BLOCKERS_MAX } from "@/lib/resources/tasks/insert-blocker";
import { usedLabels } from "@/lib/resources/tasks/labels";
import * as leases from "@/lib/resources/tasks/lease";
import { listNotes } from "@/lib/resources/tasks/notes";
import * as tasks from "@/lib/resources/tasks/service";
import { TaskBlockers } from "../_components/task-blockers";
import { TaskDetail } from "../_components/task-detail";
import { filtersOf, hrefOf, readFilters } from "../_components/task-filters";
import { TaskForm } from "../_components/task-form";
import { TaskHistory } from "../_components/task-history";
import { TaskList } from "../_components/task-list";
import { TaskNotes } from "../_components/task-notes";

const NOTES_SHOWN = 100;

export const generateMetadata = resourceMetadata;

export default async function TaskPage(props: ResourcePage) {
  const { id, search, caller, account, canWrite, isEditing } = await openPage(props);
  const path = `/tasks/${id}`;
  const [[{ task, run }, blockers, notes], held, changes] = await Promise.all([
    readOrNotFound(withQuery(path, search), () =>
      Promise.all([
        tasks.getWithRun(caller, id),
        listBlockers(caller, id, { limit: BLOCKERS_MAX }),
        listNotes(caller, id, { limit: NOTES_SHOWN, include: "total_count" }),
      ]),
    ),
    leases.listHeldLeases(caller, [id]),
    queryParam(search, "tab") === "history" ? historyOf(caller, id) : [],
  ]);
  const lease = held.get(id);
  const { filters, misread } = readFilters(search);
  const here = hrefOf(path, filters);
  const list = account && <TaskList {...{ caller, filters, misread }} open={task} />;
  return (
    <BesideList label="Task" list={list}>
      <TaskDetail
        task={task}
        schedule={<RunFact caller={caller} run={run} />}
        lease={lease}
        canWrite={canWrite}
        editHref={hrefOf(path, filters, { edit: 1 })}
        closeHref={account ? hrefOf("/tasks", filters) : undefined}
        labelHref={account ? (label) => hrefOf("/tasks", filtersOf({ label })) : undefined}
        form={
          isEditing && (
            <TaskForm closeHref={here} task={task} knownLabels={await usedLabels(caller)} />
          )
        }
        parts={partsOf(search, (part) => hrefOf(path, filters, part))}
        noteCount={notes.total_count ?? 0}
        blockers={
          <TaskBlockers
            taskId={id}
            blockers={blockers.data}
            hrefOf={(blocker) => hrefOf(`/tasks/${blocker.id}`, filters)}
            canWrite={canWrite}
            byName={account !== null && task.organization_id !== null}
          />
        }
        notes={<TaskNotes taskId={id} notes={notes} canWrite={canWrite} />}
        history={<TaskHistory task={task} changes={changes} lease={lease} />}
      />
    </BesideList>
  );
}

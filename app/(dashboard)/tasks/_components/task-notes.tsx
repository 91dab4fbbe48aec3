import { ActionForm, Submit } from "@/components/ui/action-form";
import { Draft } from "@/components/ui/draft";
import { TextAreaField } from "@/components/ui/text-area";
import { Time } from "@/components/ui/time";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import type { List } from "@/lib/platform/lists/list";
import { NOTE_CHARACTERS_MAX, type TaskNote } from "@/lib/resources/tasks/notes-contract";
import { addNoteTo } from "../actions";

interface Props {
  taskId: string;
  notes: List<TaskNote>;
  canWrite: boolean;
}

/** The notes of a task, newest first, and the form for a new one. */
export function TaskNotes({ taskId, notes, canWrite }: Props) {
  if (notes.data.length === 0 && !canWrite) return null;
  return (
    <section aria-label="Notes">
      {canWrite && (
        <ActionForm
          action={addNoteTo}
          className="grid gap-2"
          formId={crypto.randomUUID()}
          fields={{ id: taskId }}
        >
          <UnsavedGuard />
          <Draft of="note" />
          <TextAreaField
            label="New note"
            name="body"
            required
            rows={2}
            maxLength={NOTE_CHARACTERS_MAX}
            look="field field-sizing-content max-h-[40dvh] min-h-14"
          />
          <div>
            <Submit className="button">Add note</Submit>
          </div>
        </ActionForm>
      )}
      <ol className="mt-3">
        {notes.data.map((note) => (
          <li key={note.id} className="border-b border-line py-2 last:border-0">
            <p className="flex flex-wrap justify-between gap-x-3 text-small text-muted">
              <bdi className="min-w-0 wrap-anywhere">{note.author ?? "No name"}</bdi>
              <span className="tabular-nums">
                <Time unix={note.created_at} />
              </span>
            </p>
            <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
              {note.body}
            </p>
          </li>
        ))}
      </ol>
      {notes.has_more && (
        <p className="text-small text-muted">
          The newest {notes.data.length} of {notes.total_count} notes.
        </p>
      )}
    </section>
  );
}
